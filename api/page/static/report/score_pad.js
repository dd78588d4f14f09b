// @ts-check
/** The points of a game while it is played: its players and every step that gave points, kept in this browser alone. */

export const KEY = "wondertally.pad";
const MOST = 9999;

export class ScorePad {
  /** @type {PadPlayer[]} */
  players;
  /** @type {PadStep[]} */
  steps;
  /** @type {{ [colour: string]: string }} */
  names;
  /** @type {boolean} */
  isAlone;
  constructor() {
    this.players = [];
    this.steps = [];
    this.names = {};
    this.refresh();
  }

  /** Take over changes saved by another tab; not if this tab could not save its own. */
  refresh() {
    if (!this.isAlone) Object.assign(this, kept());
  }

  /**
   * Whether a colour plays.
   *
   * @param {string | null} colour
   */
  plays(colour) {
    return this.players.some((player) => player.colour === colour);
  }

  /**
   * Add a colour to the game, or remove it: its points and name are kept for its return.
   *
   * @param {string} colour
   */
  toggle(colour) {
    this.refresh();
    const player = this.players.find((own) => own.colour === colour);
    if (player) this.names = { ...this.names, [colour]: player.name };
    this.players = player
      ? this.players.filter((own) => own !== player)
      : [...this.players, { colour, name: this.names[colour] ?? "" }];
    this.#keep();
  }

  /**
   * Set the name of a colour's player.
   *
   * @param {string} colour
   * @param {string} name
   */
  name(colour, name) {
    this.refresh();
    this.players = this.players.map((player) => (player.colour === colour ? { colour, name } : player));
    this.#keep();
  }

  /**
   * Return the present points of a colour.
   *
   * @param {string} colour
   */
  points(colour) {
    return this.steps.filter((step) => step.colour === colour).reduce((sum, { by }) => sum + by, 0);
  }

  /**
   * Add or subtract points, within the score track; returns whether that changed anything.
   *
   * @param {string} colour
   * @param {number} by
   */
  add(colour, by) {
    this.refresh();
    const now = this.points(colour);
    const step = Math.min(MOST, Math.max(0, now + by)) - now;
    if (!step) return false;
    this.steps = [...this.steps, { colour, by: step }];
    this.#keep();
    return true;
  }

  /** The step that undo would take back: the last one of a colour that plays. */
  get last() {
    return this.steps.findLast(({ colour }) => this.plays(colour)) ?? null;
  }

  /** Undo the last step, and return it; null if there is none. */
  undo() {
    this.refresh();
    const { last } = this;
    this.steps = this.steps.filter((step) => step !== last);
    this.#keep();
    return last;
  }

  /**
   * Delete the game, and begin another one.
   *
   * @param {PadPlayer[]} [players]
   */
  clear(players = []) {
    this.players = players;
    this.steps = [];
    this.names = {};
    this.#keep();
  }

  #keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ players: this.players, steps: this.steps, names: this.names }));
      this.isAlone = false;
    } catch {
      this.isAlone = true; // the game lasts as long as the page
    }
  }
}

/** Load the game of an earlier visit; empty if the stored data is no game. */
function kept() {
  try {
    const { players, steps, names = {} } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    /** @param {PadPlayer} padPlayer */
    const isPlayer = ({ colour, name }) => typeof colour === "string" && typeof name === "string";
    /** @param {PadStep} padStep */
    const isStep = ({ colour, by }) => typeof colour === "string" && Number.isInteger(by);
    const isNamed = Object.values(names).every((name) => typeof name === "string");
    return players.every(isPlayer) && steps.every(isStep) && isNamed ? { players, steps, names } : {};
  } catch {
    return {};
  }
}
