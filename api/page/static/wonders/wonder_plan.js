// @ts-check
/**
 * A wonder's layout during editing: the kind of each outer edge, the ends that form a feature, and the squares it
 * covers.
 */

const SIDES = "NESW";
/** @type {{ [name: string]: number[] }} */
const STEPS = { N: [-1, 0], E: [0, 1], S: [1, 0], W: [0, -1] };
/** @type {{ [kind: string]: "road" | "city" | "field" }} */
const NEXT = { field: "road", road: "city", city: "field" };

/**
 * Return the name of an edge: its square by number, and its side.
 *
 * @param {Edge} edge
 */
export const edgeName = ({ square, side }) => `${square} ${side}`;

export class WonderPlan {
  /** @type {number[]} */
  wonder;
  /** @type {number | null} */
  monastery;
  /** @type {string[]} */
  inferred;
  /** @type {PlanFeature[]} */
  features;
  /** @type {Api.WonderPlanEntry[]} */
  #before = [];
  /** @type {Api.WonderPlanEntry[]} */
  #after = [];

  /**
   * `plan` is in the API's form.
   *
   * @param {Api.WonderPlanEntry} plan
   */
  constructor(plan) {
    this.id = plan.id;
    this.squares = plan.squares;
    this.shown = plan;
    this.unknown = plan.inferred ?? [];
    this.edges = this.squares.flatMap((own, square) =>
      [...SIDES].map((side) => ({ square, side })).filter(({ side }) => !this.#beside(square, side)),
    );
    this.#read(plan);
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  get canRedo() {
    return this.#after.length > 0;
  }

  /**
   * Return the feature that an edge is an end of, null for field.
   *
   * @param {Edge} edge
   */
  feature({ square, side }) {
    return this.features.find(({ ends }) => ends.some((end) => end.square === square && end.side === side)) ?? null;
  }

  /** @param {Edge} edge */
  kind(edge) {
    return this.feature(edge)?.kind ?? "field";
  }

  /**
   * Switch an edge to the next of field, road, city; returns its new kind.
   *
   * @param {Edge} edge
   */
  turn(edge) {
    const kind = NEXT[this.kind(edge)];
    this.#change(() => {
      this.#cut(edge);
      if (kind !== "field") this.#grow(kind, edge);
    });
    return kind;
  }

  /**
   * Join two ends of a kind, or separate them if they are joined; returns the action, null for none.
   *
   * @param {Edge} one
   * @param {Edge} other
   */
  join(one, other) {
    const [first, second] = [this.feature(one), this.feature(other)];
    if (!first || !second || first.kind !== second.kind || edgeName(one) === edgeName(other)) return null;
    this.#change(() => (first === second ? this.#part(first, other) : this.#merge(first, second)));
    return first === second ? "parted" : "joined";
  }

  /**
   * Toggle whether a feature covers a square; returns whether that is possible: the squares of its ends are fixed.
   *
   * @param {PlanFeature} feature
   * @param {number} square
   */
  cover(feature, square) {
    if (
      feature.ends.some((end) => end.square === square) ||
      (feature.squares.has(square) && feature.squares.size === 1)
    )
      return false;
    this.#change(() => flip(feature.squares, square));
    return true;
  }

  /**
   * Change a property of a feature.
   *
   * @template {keyof PlanFeature} K
   * @param {PlanFeature} feature
   * @param {K} name
   * @param {PlanFeature[K]} value
   */
  set(feature, name, value) {
    this.#change(() => (feature[name] = value));
  }

  /** Whether it is still open if the cities have coats of arms. */
  get coatsUnknown() {
    return this.inferred.length > 0;
  }

  /**
   * Return the number of coats of arms of a city; null if it is open for all.
   *
   * @param {PlanFeature} feature
   * @param {number | null} coats
   */
  setCoats(feature, coats) {
    this.#change(() => {
      feature.coats = coats ?? 0;
      this.inferred = coats === null ? this.unknown : [];
    });
  }

  /**
   * Remove a feature without ends.
   *
   * @param {PlanFeature} feature
   */
  drop(feature) {
    this.#change(() => (this.features = this.features.filter((own) => own !== feature)));
  }

  /**
   * Toggle whether the wonder itself stands on a square; it stands on one at least.
   *
   * @param {number} square
   */
  stand(square) {
    const there = this.wonder.includes(square);
    if (there && this.wonder.length === 1) return false;
    this.#change(() => (this.wonder = there ? this.wonder.filter((own) => own !== square) : [...this.wonder, square]));
    return true;
  }

  /**
   * Put the marker on a square.
   *
   * @param {number} square
   */
  mark(square) {
    this.#change(() => (this.wonder = [square, ...this.wonder.filter((own) => own !== square)]));
  }

  /**
   * Put the monastery on a square, null for none.
   *
   * @param {number | null} square
   */
  build(square) {
    this.#change(() => {
      this.monastery = square;
      if (square === null) for (const { into } of this.features) into.delete("monastery");
    });
  }

  undo() {
    this.#after.push(this.entry());
    this.#read(/** @type {Api.WonderPlanEntry} */ (this.#before.pop()));
  }

  redo() {
    this.#before.push(this.entry());
    this.#read(/** @type {Api.WonderPlanEntry} */ (this.#after.pop()));
  }

  /**
   * Replace the plan by another one of the same squares, as one step.
   *
   * @param {Api.WonderPlanEntry} plan
   */
  take(plan) {
    this.#change(() => this.#read(plan));
  }

  /**
   * Return the plan in the API's form.
   *
   * @returns {Api.WonderPlanEntry}
   */
  entry() {
    /** @param {number} square */
    const at = (square) => this.squares[square];
    /** @param {PlanFeature} planFeature */
    const own = ({ ends, squares }) => ({
      edges: ends.map(({ square, side }) => `${at(square).join(",")} ${side}`),
      squares: [...squares].filter((square) => !ends.some((end) => end.square === square)).map(at),
    });
    /** @param {string} kind */
    const of = (kind) => this.features.filter((feature) => feature.kind === kind);
    return {
      id: this.id,
      squares: this.squares,
      wonder: this.wonder.map(at),
      monastery: this.monastery === null ? null : at(this.monastery),
      cities: of("city").map((city) => ({
        ...own(city),
        coats: Math.min(city.coats, city.squares.size),
        walled: city.walled,
      })),
      roads: of("road").map((road) => ({
        ...own(road),
        into: [...road.into],
        closed: road.closed && road.into.size > 1,
      })),
      inferred: this.inferred,
    };
  }

  /** @param {() => unknown} act */
  #change(act) {
    this.#before.push(this.entry());
    this.#after = [];
    act();
  }

  /** @param {Api.WonderPlanEntry} plan */
  #read(plan) {
    /** @param {Square} square */
    const number = (square) => this.squares.findIndex((own) => own.join() === square.join());
    /**
     * @param {"road" | "city"} kind
     * @returns {(own: Partial<Api.PlannedCityEntry & Api.PlannedRoadEntry> & { edges: string[] }) => PlanFeature}
     */
    const read = (kind) => (own) => {
      const ends = own.edges.map((name) => ({
        square: number(name.slice(0, -2).split(",").map(Number)),
        side: name.slice(-1),
      }));
      const squares = new Set([...ends.map(({ square }) => square), ...(own.squares ?? []).map(number)]);
      return {
        kind,
        ends,
        squares,
        coats: own.coats ?? 0,
        walled: own.walled ?? false,
        into: new Set(own.into ?? []),
        closed: own.closed ?? false,
        read: true,
      };
    };
    this.wonder = plan.wonder.map(number);
    this.monastery = plan.monastery ? number(plan.monastery) : null;
    this.inferred = plan.inferred ?? [];
    this.features = [...(plan.cities ?? []).map(read("city")), ...(plan.roads ?? []).map(read("road"))];
  }

  /**
   * Remove an end. A feature made only for it is removed; one that was read waits for another end.
   *
   * @param {Edge} edge
   */
  #cut(edge) {
    const feature = this.feature(edge);
    if (!feature) return;
    feature.ends = feature.ends.filter((end) => edgeName(end) !== edgeName(edge));
    if (!feature.ends.length && !feature.read) this.features = this.features.filter((own) => own !== feature);
  }

  /**
   * Make an edge an end: of a waiting feature, of the city on its square, or of a new one.
   *
   * @param {"road" | "city"} kind
   * @param {Edge} edge
   */
  #grow(kind, edge) {
    const { square } = edge;
    const there = this.features.filter((own) => own.kind === kind && own.squares.has(square));
    const waiting =
      there.find(({ ends }) => !ends.length) ??
      this.features.find((own) => own.kind === kind && !own.ends.length && own.squares.size === 1);
    const feature = waiting ?? (kind === "city" ? there[0] : null);
    if (!feature) return this.features.push(made(kind, edge));
    if (!feature.squares.has(square)) feature.squares = new Set([square]);
    return feature.ends.push(edge);
  }

  /**
   * @param {PlanFeature} first
   * @param {PlanFeature} second
   */
  #merge(first, second) {
    first.ends.push(...second.ends);
    for (const square of [...second.squares, ...this.#between(first.squares, second.squares)])
      first.squares.add(square);
    for (const target of second.into) first.into.add(target);
    Object.assign(first, {
      coats: first.coats + second.coats,
      walled: first.walled || second.walled,
      closed: first.closed || second.closed,
    });
    this.features = this.features.filter((own) => own !== second);
  }

  /**
   * @param {PlanFeature} feature
   * @param {Edge} end
   */
  #part(feature, end) {
    feature.ends = feature.ends.filter((own) => edgeName(own) !== edgeName(end));
    if (!feature.ends.some(({ square }) => square === end.square) && feature.squares.size > 1)
      feature.squares.delete(end.square);
    this.features.push({ ...made(feature.kind, end), into: new Set(feature.into), walled: feature.walled });
  }

  /**
   * Return the squares on a path from some to others.
   *
   * @param {Set<number>} from
   * @param {Set<number>} to
   */
  #between(from, to) {
    const ways = [...from].map((square) => [square]);
    const known = new Set(from);
    for (const way of ways) {
      const last = way[way.length - 1];
      if (to.has(last)) return way;
      for (const side of SIDES) {
        const next = this.#beside(last, side)?.square;
        if (next === undefined || known.has(next)) continue;
        known.add(next);
        ways.push([...way, next]);
      }
    }
    return [];
  }

  /**
   * @param {number} square
   * @param {string} side
   */
  #beside(square, side) {
    const [[row, col], [down, right]] = [this.squares[square], STEPS[side]];
    const other = this.squares.findIndex(([r, c]) => r === row + down && c === col + right);
    return other < 0 ? null : { square: other };
  }
}

/**
 * @param {"road" | "city"} kind
 * @param {Edge} end
 * @returns {PlanFeature}
 */
const made = (kind, end) => ({
  kind,
  ends: [end],
  squares: new Set([end.square]),
  coats: 0,
  walled: false,
  into: new Set(kind === "road" ? ["wonder"] : []),
  closed: false,
  read: false,
});

/**
 * @param {Set<number>} set
 * @param {number} value
 */
function flip(set, value) {
  if (!set.delete(value)) set.add(value);
}
