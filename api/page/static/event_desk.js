/** What a person does at the desk: goes through the tables, answers, confirms, takes back. */

import { Questions } from "./ask.js";
import { openAddPhotos, openAddTable } from "./event_add.js";
import { emptyCard, tableCard } from "./event_card.js";
import { openKeyboard } from "./event_keys.js";
import { OPEN, countsOf, placeOf, standingTables, tableList } from "./event_list.js";
import { askReason, askToken, askWho, openHistory, openKeys } from "./event_sheets.js";
import { openEventShare } from "./event_share.js";
import { confirmDelete } from "./sheet.js";
import { rememberEvent } from "./store.js";
import { named } from "./who.js";
import { say } from "./words.js";

const part = (name) => document.getElementById(name);

export class EventDesk {
  #current = null;
  #cardOf = null;
  #shown = "";
  #turn = 0;
  #question = null;
  #questions = null;
  #busy = false;

  constructor(session) {
    this.session = session;
    session.addEventListener("change", () => this.#draw());
    part("who").onclick = () => askWho(() => this.#draw());
    part("keys").onclick = openKeys;
    part("history").onclick = () => this.#guard(() => openHistory(session));
    part("add-table").onclick = () => this.#add();
    part("share").onclick = () => openEventShare(session);
    part("decide").onclick = () => askToken((token) => this.#take(token));
    openKeyboard({
      j: () => this.#step(1), ArrowDown: () => this.#step(1), k: () => this.#step(-1), ArrowUp: () => this.#step(-1),
      y: () => this.#confirm(), Enter: () => this.#confirm(), x: () => this.#unscorable(), u: () => this.#undo(),
      s: () => this.#leave(), o: () => part("open-reading")?.click(), h: () => part("history").click(), "?": openKeys,
      n: () => this.#add(), p: () => this.#addPhotos(),
      digit: (key) => this.#choose(Number(key) - 1),
    });
    this.#draw();
    if (session.mayDecide && named() === null) askWho(() => this.#draw());
  }

  get #table() {
    return this.session.table(this.#current);
  }

  /** The same, once its card is on the screen: nothing is decided of a table that nobody sees yet. */
  get #seen() {
    return this.#cardOf === this.#current ? this.#table : null;
  }

  #draw() {
    const { event, tables, mayDecide } = this.session;
    if (!this.#table) this.#current = this.#next(null);
    part("event-name").textContent = event.name;
    part("counts").textContent = countsOf(event);
    part("who-name").textContent = named() || say("somebody");
    part("who").hidden = !mayDecide;
    part("decide").hidden = mayDecide;
    part("add-table").hidden = !mayDecide;
    part("standings").replaceChildren(...standingTables(event));
    const focused = document.activeElement?.dataset?.table;
    part("tables").replaceChildren(...tableList(tables, this.#current, (table) => this.#goTo(table.id)));
    if (focused) part("tables").querySelector(`[data-table="${focused}"]`)?.focus({ preventScroll: true });
    this.#guard(() => this.#show());
  }

  /** Shows the table that is looked at, where it is another or has changed; gets the one after it ready. */
  async #show() {
    const table = this.#table;
    const key = table ? `${table.id} ${table.version}` : `none ${this.session.mayDecide}`;
    const turn = ++this.#turn;
    const busy = (is) => part("card").setAttribute("aria-busy", String(is));
    if (key === this.#shown) return busy(false);
    if (!table) {
      this.#shown = key;
      part("card").replaceChildren(emptyCard(this.session.mayDecide, () => this.#add()));
      return busy(false);
    }
    busy(true);
    try {
      const asked = table.reading && OPEN.includes(table.state) && this.session.mayDecide ? await this.#asked(table) : null;
      // What a later turn draws is not drawn twice: a button would slip from under a finger.
      if (turn === this.#turn) this.#put(table, asked, key);
    } finally {
      if (turn === this.#turn) busy(false);
    }
  }

  #put(table, asked, key) {
    this.#shown = key;
    this.#cardOf = table.id;
    this.#question = asked?.question ?? null;
    if (asked) this.#questions = asked.questions;
    part("card").replaceChildren(tableCard(table, this.session.event, asked, this.session.mayDecide, {
      onAnswer: (choice) => this.#answer(choice), onLeave: () => this.#leave(), onConfirm: () => this.#confirm(),
      onUnscorable: () => this.#unscorable(), onUndo: () => this.#undo(), onPhotos: () => this.#addPhotos(), onDelete: () => this.#delete(),
    }));
    part("tables").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
    const after = this.session.table(this.#next(table.id));
    if (after?.reading && after !== table) this.session.reading(after).then((own) => own.photo(0)).catch(() => {});
  }

  /** The first question that was not left open here. */
  async #asked(table) {
    const reading = await this.session.reading(table);
    const questions = this.#questions?.session === reading ? this.#questions : new Questions(reading);
    const [question] = questions.open;
    if (!question) return null;
    return { report: reading.report, questions, question, photo: await reading.photo(question.photo), left: questions.open.length };
  }

  #goTo(id) {
    this.#current = id;
    this.#draw();
    part("card").scrollIntoView({ block: "nearest" });
  }

  #step(by) {
    const { tables } = this.session;
    const at = tables.indexOf(this.#table) + by;
    if (tables[at]) this.#goTo(tables[at].id);
  }

  /** The table after one that needs a person, or the first that does; else the same. */
  #next(id) {
    const { tables } = this.session;
    const at = tables.findIndex((table) => table.id === id);
    const open = (table) => table.id !== id && OPEN.includes(table.state);
    return (tables.slice(at + 1).find(open) ?? tables.find(open))?.id ?? id ?? tables[0]?.id ?? null;
  }

  #confirm() {
    const table = this.#seen;
    if (table?.reading && OPEN.includes(table.state)) this.#decide(table, { confirm: true }, "told-checked");
  }

  #choose(index) {
    const choice = this.#question?.choices[index];
    if (choice) this.#answer(choice);
  }

  #answer(choice) {
    return this.#seen && this.#decide(this.#seen, { answer: choice.correction }, "told-answered");
  }

  #leave() {
    if (!this.#seen || !this.#question) return;
    this.#questions.leave(this.#question);
    this.#shown = "";
    this.#guard(() => this.#show());
  }

  #unscorable() {
    const table = this.#seen;
    if (this.session.mayDecide && table && OPEN.includes(table.state)) askReason((reason) => this.#decide(table, { unscorable: reason }, "told-unscorable"));
  }

  /** Takes back what was done last from here, wherever that was; else the last of this table. */
  #undo() {
    const table = this.session.last ?? this.#seen;
    return (table?.decided_at || table?.reading) && this.#decide(table, { undo: true }, "told-undone");
  }

  #add() {
    if (this.session.mayDecide) openAddTable(this.session, (table) => this.#added(table));
  }

  /** For a table that nobody has checked, and that is not being read. */
  #addPhotos() {
    const table = this.#seen;
    if (this.session.mayDecide && table && [...OPEN, "waiting"].includes(table.state)) openAddPhotos(this.session, table, placeOf(table), (now) => this.#added(now));
  }

  #added(table) {
    this.#tell(say(table.state === "reading" ? "told-added" : "told-same", { table: placeOf(table) }));
    this.#goTo(table.id);
  }

  #delete() {
    const table = this.#seen;
    if (table) confirmDelete(say("delete-table-sure"), async () => {
      await this.session.deleteTable(table);
      this.#tell(say("told-deleted", { table: placeOf(table) }));
    });
  }

  /** One decision at a time; what is done goes on to the next table that needs somebody. */
  #decide(table, asked, told) {
    if (this.#busy || !this.session.mayDecide) return null;
    this.#busy = true;
    const next = this.#next(table.id);
    return this.#guard(async () => {
      try {
        await this.session.decide(table, asked);
        const now = this.session.table(table.id);
        this.#current = OPEN.includes(now?.state) ? table.id : next;
        this.#tell(say(told, { table: placeOf(table) }));
      } finally {
        this.#busy = false;
        this.#draw();
      }
    });
  }

  async #take(token) {
    this.session.token = token;
    await this.session.load();
    if (!this.session.mayDecide) throw new Error(say("error-not_yours"));
    rememberEvent(this.session.id, token, this.session.event.name);
    this.#shown = "";
    this.#draw();
  }

  #tell(words, isError = false) {
    part("told").textContent = words;
    part("told").classList.toggle("error", isError);
  }

  async #guard(action) {
    try {
      await action();
    } catch (error) {
      this.#tell(error.message, true);
    }
  }
}
