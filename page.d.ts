/** Types of the page's own that several modules share; those of the API's documents are generated (`make lint`). */

/** A point of a picture in pixels: x, y. */
type Point = number[];
/** A square of a board: its row and column. */
type Square = number[];
/** Corners of a square in a picture: NW, NE, SE, SW as it lies. */
type Quad = Point[];
type Ring = Point[];
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type AnyReport = Api.Report | Api.SpotReport;
type AnyBoard = Api.Board | Api.SpotBoard;
type AnyFeature = Api.Feature | Api.SpotFeature;
type AnyProblem = Api.Problem | Api.SpotProblem;
type AnyQuestion = Api.Question | Api.SpotQuestion;
type Corrections = Api.ReadingDocument["corrections"];
type Points = { [colour: string]: number | null };
type Slots = { [name: string]: string | number | null | undefined };

/** A message as `api/page/phrases.py` makes it. */
type Tree = string | Tree[] | { m: string } | { v: string } | { s: string; c: { [key: string]: Tree }; d: string };

/** What `el` takes as children: nothing is made of null, undefined and false. */
type Child = Node | string | null | undefined | false | Child[];
type Handler<E extends Element, V extends Event> = (event: V & { target: E; currentTarget: E }) => unknown;
type Handlers<E extends Element> = {
  [K in keyof GlobalEventHandlersEventMap as `on${K}`]?: Handler<E, GlobalEventHandlersEventMap[K]> | null;
};
type Attributes<E extends Element> = Handlers<E> & {
  [name: string]: string | number | boolean | null | undefined | ((event: any) => unknown);
};

/** Elements of the templates that are more than an HTMLElement, by their ids. */
interface Parts {
  again: HTMLButtonElement;
  camera: HTMLInputElement;
  gallery: HTMLInputElement;
  "open-reading": HTMLElement | null;
  redo: HTMLButtonElement;
  reset: HTMLButtonElement;
  seats: HTMLDetailsElement;
  "typed-players": HTMLElement | null;
  undo: HTMLButtonElement;
}

type View = import("./api/page/static/tiles/view.js").View;
type SpotView = import("./api/page/static/spots/spot_view.js").SpotView;
type AnyView = View | SpotView;
type Session = import("./api/page/static/report/session.js").Session;
type EventSession = import("./api/page/static/event/event_session.js").EventSession;
type Squares = import("./api/page/static/tiles/squares.js").Squares;
type WonderPlan = import("./api/page/static/wonders/wonder_plan.js").WonderPlan;
type Questions = import("./api/page/static/report/ask.js").Questions;
type OwnView = AnyView;

interface Named {
  names?: { [colour: string]: string | undefined };
}
type Values = { [name: string]: string | number };
/** A sentence of a report with the values in it. */
interface Sentence {
  values?: Values;
  text: string;
}
type AnyChoice = Api.Choice | Api.SpotAnswer;
/** A correction to be sent, or of a history: `Corrections` has the fields of each kind. */
interface Correction {
  kind: string;
  about?: string;
  row?: number | null;
  col?: number | null;
  square?: number[] | null;
  colour?: string | null;
  [field: string]: unknown;
}
type Edges = { [side: string]: string };
type BoxRules = { [box: string]: boolean };
type StorageName = "sessionStorage" | "localStorage";
/** The places that an error may name. */
interface ErrorDetails {
  line?: number;
  column?: number;
  key?: string;
  edge?: string;
  given?: string;
  at?: Point;
  wonder?: string;
  number?: number;
}

/** A reading of this device. */
interface Remembered {
  id: string;
  token: string;
  created: string;
  scores: Points | null;
  names?: { [colour: string]: string };
  /** Players who certainly won. */
  winners?: string[];
  game?: string;
  failed?: boolean;
}
interface RememberedEvent {
  token: string;
  name?: string;
  opened?: string;
}
/** A game whose score this device keeps from photos. */
interface RememberedGame {
  id: string;
  token: string;
  opened: string;
  names?: { [colour: string]: string };
  /** The players' colours, in turn order. */
  players?: string[];
}
interface PadPlayer {
  colour: string;
  name: string;
}
interface PadStep {
  colour: string;
  by: number;
}

interface Piece {
  colour: string;
  pose: string;
  kind?: string;
}
/** A piece on a square, or one to be put there. */
type Placed = Partial<Omit<Api.Meeple, "tile">> & Piece & { kind: string; tile: Square };
type OnSquare = (square: Square) => unknown;
type OnFeature = (feature: Api.Feature) => unknown;
type OnRun = (line: Api.Line, run: Api.Run) => unknown;
type OnPicked = (square: Square, feature: Api.Feature | null) => unknown;
type FilterName = "road" | "city" | "coat" | "monastery";

type OnSpot = (spot: Api.SpotState) => unknown;
type SpotChange = { kind: string; id: string; value: string | number | null };
/** One sheet of facts to be typed: a question by itself, those of the table, or those of a player. */
interface TypedStep {
  key: string;
  spots: Api.SpotState[];
  question?: Api.SpotState;
  player?: string;
}
type SendTyped = (corrections: Correction[]) => unknown;

/** An outer edge of a wonder: its square by number, and its side. */
interface Edge {
  square: number;
  side: string;
}
interface PlanFeature {
  kind: "road" | "city";
  ends: Edge[];
  squares: Set<number>;
  coats: number;
  walled: boolean;
  into: Set<"wonder" | "monastery">;
  closed: boolean;
  read: boolean;
}
interface WonderActs {
  onEdge: (edge: Edge) => unknown;
  onJoin: (edge: Edge, other: Edge) => unknown;
  onCover: (edge: Edge | null, square: number) => unknown;
  onSquare: (square: number) => unknown;
}
type Mode = "edges" | "joins";
/** A wonder to be enrolled, with the photo and the reading it comes from. */
interface Lesson {
  meaning: Api.WonderMeaning;
  quads: (Quad | null)[];
  photo: HTMLImageElement | null;
  refused: string | null;
  session?: Session | null;
  lies?: Api.Tile | null;
  shown?: { photo: string } | { reading: string } | null;
}

type OnTable = (table: Api.TableDocument) => unknown;
type OnOrder = (order: string[]) => unknown;
interface SeenTable {
  report: AnyReport;
  photos: HTMLElement[];
}
interface AskedTable {
  report: AnyReport;
  questions: Questions;
  question: AnyQuestion;
  photo: HTMLImageElement;
  left: number;
}
interface CardActs {
  onTyped: (corrections: Correction[]) => unknown;
  onAnswer: (choice: AnyChoice) => unknown;
  onLeave: () => unknown;
  onConfirm: () => unknown;
  onUnscorable: () => unknown;
  onUndo: () => unknown;
  onPhotos: () => unknown;
  onDelete: () => unknown;
}

/** A shape over the picture of a board: one of quad, box, round, path, spaces; a grid is a box with lines. */
interface BoardShape {
  name: string;
  quad?: Quad | null;
  box?: number[] | null;
  round?: number[] | null;
  path?: number[][] | null;
  spaces?: number[][] | null;
  reach?: number | null;
  lines?: string[] | null;
  chosen?: boolean;
  upright?: boolean;
  label?: string;
}
interface Dot {
  kind: string;
  at: Point;
  set(to: Point): void;
}
interface Work {
  guard: <T>(action: () => T | Promise<T>) => Promise<unknown>;
  leave: () => unknown;
  kept: (kept: any) => unknown;
}
type Draft = { [field: string]: unknown };
type Step = "corners" | "size" | "places" | "numbers";
type FileButton = (
  icon: string,
  words: string,
  accept: string,
  act: (file: File) => unknown,
  looks?: string,
) => HTMLElement;
interface TileShape {
  cells: Set<string>;
  at: Point | null;
}
interface ShapeStep {
  shapes: TileShape[];
  chosen: number;
}
