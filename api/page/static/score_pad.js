/** The points of a game while it is played: who plays, and each step that gave points, kept in this browser alone. */

export const KEY = "wondertally.pad";
const MOST = 9999;

export class ScorePad {
  constructor() {
    Object.assign(this, { players: [], steps: [], names: {} });
    this.refresh();
  }

  /** Takes over what another tab has kept since; not where this one could not keep its own. */
  refresh() {
    if (!this.isAlone) Object.assign(this, kept());
  }

  /** Whether a colour plays. */
  plays(colour) {
    return this.players.some((player) => player.colour === colour);
  }

  /** Has a colour play, or no longer: its points and its name are kept for when it does again. */
  toggle(colour) {
    this.refresh();
    const player = this.players.find((own) => own.colour === colour);
    if (player) this.names = { ...this.names, [colour]: player.name };
    this.players = player ? this.players.filter((own) => own !== player) : [...this.players, { colour, name: this.names[colour] ?? "" }];
    this.#keep();
  }

  /** Says who plays a colour. */
  name(colour, name) {
    this.refresh();
    this.players = this.players.map((player) => (player.colour === colour ? { colour, name } : player));
    this.#keep();
  }

  /** What a colour has by now. */
  points(colour) {
    return this.steps.filter((step) => step.colour === colour).reduce((sum, { by }) => sum + by, 0);
  }

  /** Gives points, or takes them, as far as the score track goes; answers whether that changed anything. */
  add(colour, by) {
    this.refresh();
    const now = this.points(colour);
    const step = Math.min(MOST, Math.max(0, now + by)) - now;
    if (!step) return false;
    this.steps = [...this.steps, { colour, by: step }];
    this.#keep();
    return true;
  }

  /** The step that would be undone: the last of those who play. */
  get last() {
    return this.steps.findLast(({ colour }) => this.plays(colour)) ?? null;
  }

  /** Takes the last step back, and answers it; null where there is none. */
  undo() {
    this.refresh();
    const { last } = this;
    this.steps = this.steps.filter((step) => step !== last);
    this.#keep();
    return last;
  }

  /** Forgets the game. */
  clear() {
    Object.assign(this, { players: [], steps: [], names: {} });
    this.#keep();
  }

  #keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ players: this.players, steps: this.steps, names: this.names }));
      this.isAlone = false;
    } catch {
      this.isAlone = true; // the game lives as long as the page
    }
  }
}

/** What an earlier visit left; nothing where that is no game. */
function kept() {
  try {
    const { players, steps, names = {} } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const isPlayer = ({ colour, name }) => typeof colour === "string" && typeof name === "string";
    const isStep = ({ colour, by }) => typeof colour === "string" && Number.isInteger(by);
    const isNamed = Object.values(names).every((name) => typeof name === "string");
    return players.every(isPlayer) && steps.every(isStep) && isNamed ? { players, steps, names } : {};
  } catch {
    return {};
  }
}
