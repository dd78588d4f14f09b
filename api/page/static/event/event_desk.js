// @ts-nocheck
/** Everything a person does at the desk: go through the tables, answer, confirm, undo. */

import { announce, el, part } from "../lib/dom.js";
import { openDrop } from "../lib/page.js";
import { redraw, saved } from "../lib/redraw.js";
import { confirmDelete, returnFocus } from "../lib/sheet.js";
import { rememberEvent } from "../lib/store.js";
import { named } from "../lib/who.js";
import { say } from "../lib/words.js";
import { Questions } from "../report/ask.js";
import { openAddPhotos, openAddTable } from "./event_add.js";
import { emptyCard, readingLink, tableCard } from "./event_card.js";
import { filtered, openFilter } from "./event_filter.js";
import { openKeyboard } from "./event_keys.js";
import { countsOf, OPEN, placeOf, standingTables, tableList } from "./event_list.js";
import { tablePhotos } from "./event_photo.js";
import { printedTables, ranking } from "./event_ranking.js";
import { awaitedList, namesIn, openRoster, roundsOf } from "./event_roster.js";
import { Sending } from "./event_sending.js";
import { openEventShare } from "./event_share.js";
import { askReason, askToken, askWho, openHistory, openKeys } from "./event_sheets.js";

export class EventDesk {
  #current = null;
  #cardOf = null;
  #shown = "";
  #turn = 0;
  #question = null;
  #questions = null;
  #busy = false;
  /** Whether the next table that waits for a person is shown once the present one does not. */
  #follows = true;

  /** @param {EventSession} session */
  constructor(session) {
    this.session = session;
    session.addEventListener("change", () => this.#draw());
    part("who").onclick = () => askWho(() => this.#draw());
    part("keys").onclick = openKeys;
    part("history").onclick = () => this.#guard(() => openHistory(session));
    part("add-table").onclick = () => this.#add();
    openDrop((files) => this.#add(files));
    this.sending = new Sending(session, part("sending"));
    part("roster").onclick = () => openRoster(session, announce);
    part("standings-round").onchange = () => this.#guard(() => this.#rankRound());
    part("share").onclick = () => openEventShare(session);
    part("print").onclick = () => window.print();
    part("decide").onclick = () => askToken((token) => this.#take(token));
    openKeyboard({
      j: () => this.#step(1),
      ArrowDown: () => this.#step(1),
      k: () => this.#step(-1),
      ArrowUp: () => this.#step(-1),
      y: () => this.#confirm(),
      Enter: () => this.#confirm(),
      x: () => this.#unscorable(),
      u: () => this.#undo(),
      s: () => this.#leave(),
      o: () => part("open-reading")?.click(),
      h: () => part("history").click(),
      "?": openKeys,
      n: () => this.#add(),
      p: () => this.#addPhotos(),
      t: () => part("typed-players")?.querySelector("input").focus(),
      digit: (key) => this.#choose(Number(key) - 1),
    });
    openFilter(() => this.#list());
    this.#draw();
    if (session.mayDecide && named() === null) askWho(() => this.#draw());
  }

  get #table() {
    return this.session.table(this.#current);
  }

  /** The selected table once its card is on the screen: no decision on a table that is not visible yet. */
  get #seen() {
    return this.#cardOf === this.#current ? this.#table : null;
  }

  #draw() {
    const { event, tables, mayDecide } = this.session;
    if (!this.#table || (this.#follows && mayDecide && !OPEN.includes(this.#table.state)))
      this.#current = this.#next(this.#table ? this.#current : null);
    part("event-name").textContent = event.name;
    part("counts").textContent = countsOf(event);
    part("who-name").textContent = named() ?? "";
    part("who-asked").classList.toggle("hidden", Boolean(named()));
    part("who").hidden = !mayDecide;
    part("decide").hidden = mayDecide;
    part("add-table").hidden = !event.may_add;
    part("add-table").querySelector("span").textContent = say(mayDecide ? "add-table" : "hand-in");
    part("roster").hidden = !mayDecide;
    this.#offerRounds();
    this.#guard(() => this.#rankRound());
    redraw(
      part("ranking"),
      ranking(this.session, (order) => this.#rank(order)),
    );
    part("printed").replaceChildren(...printedTables(tables));
    part("event-players").replaceChildren(...namesIn(this.session).map((name) => el("option", { value: name })));
    this.#arrange();
    const focused = document.activeElement?.dataset?.table;
    this.#list();
    redraw(
      part("awaited"),
      awaitedList(this.session, (pairing) => this.#add(null, pairing)),
    );
    if (focused) part("tables").querySelector(`[data-table="${focused}"]`)?.focus({ preventScroll: true });
    this.#guard(() => this.#show());
  }

  /** Offer the standings of each round, if there are several. */
  #offerRounds() {
    const [rounds, own] = [roundsOf(this.session), part("standings-round")];
    const values = ["", ...rounds];
    if (String(values) !== String([...own.options].map(({ value }) => value)))
      // a list that is open would close
      own.replaceChildren(
        ...values.map((value) =>
          el(
            "option",
            { value, selected: value === own.value },
            value ? say("round", { round: value }) : say("all-rounds"),
          ),
        ),
      );
    own.closest(".field").hidden = rounds.length < 2;
  }

  /** Show the standings of the whole event or of the chosen round. */
  async #rankRound() {
    const { event, tables } = this.session;
    const round = part("standings-round").value;
    const ranked = round ? await this.session.standings(round) : event;
    const own = tables.filter((table) => !round || table.round === round);
    part("standings").replaceChildren(...standingTables(ranked, own));
  }

  #list() {
    const { tables } = this.session;
    const shown = filtered(this.session);
    part("tables").replaceChildren(...tableList(shown, this.#current, (table) => this.#goTo(table.id)));
    part("tables-told").textContent =
      shown.length < tables.length ? say("tables-shown", { n: shown.length, all: tables.length }) : "";
  }

  /** Put the standings first for visitors who cannot edit, on paper and for screen readers too. */
  #arrange() {
    const [card, standings] = [part("card"), part("standings").closest("section")];
    const first = this.session.mayDecide ? card : standings;
    if (first.nextElementSibling !== (first === card ? standings : card))
      first === card ? standings.before(card) : card.before(standings);
    part("event").classList.toggle("looking", !this.session.mayDecide);
  }

  /** Show the selected table if it is another or has changed; prepare the next one. */
  async #show() {
    const table = this.#table;
    const key = table ? `${table.id} ${table.version}` : `none ${this.session.event.may_add}`;
    const turn = ++this.#turn;
    /** @param {boolean} is */
    const busy = (is) => part("card").setAttribute("aria-busy", String(is));
    if (key === this.#shown) return busy(false);
    if (!table) {
      this.#shown = key;
      redraw(part("card"), [emptyCard(this.session.event, () => this.#add())], "none");
      return busy(false);
    }
    busy(true);
    try {
      const seen = table.reading ? await this.#seenOf(table) : null;
      const asked =
        table.reading && OPEN.includes(table.state) && this.session.mayDecide ? await this.#asked(table) : null;
      // Only the latest turn draws: drawing twice would move a button under a finger.
      if (turn === this.#turn) this.#put(table, seen, asked, key);
    } finally {
      if (turn === this.#turn) busy(false);
    }
  }

  /**
   * @param {Api.TableDocument} table
   * @param {SeenTable | null} seen
   * @param {(AskedTable & { questions: Questions }) | null} asked
   * @param {string} key
   */
  #put(table, seen, asked, key) {
    this.#shown = key;
    this.#cardOf = table.id;
    this.#question = asked?.question ?? null;
    if (asked) this.#questions = asked.questions;
    const focused = document.activeElement;
    const card = tableCard(table, this.session, seen, asked, {
      onTyped: (corrections) => this.#typed(table, corrections),
      onAnswer: (choice) => this.#answer(choice),
      onLeave: () => this.#leave(),
      onConfirm: () => this.#confirm(),
      onUnscorable: () => this.#unscorable(),
      onUndo: () => this.#undo(),
      onPhotos: () => this.#addPhotos(),
      onDelete: () => this.#delete(),
    });
    redraw(part("card"), [card], table.id);
    if (!focused.isConnected && document.activeElement === document.body) returnFocus(focused);
    this.#scrollList();
    const after = this.session.table(this.#next(table.id));
    if (after?.reading && after !== table) this.#seenOf(after).catch(() => {});
  }

  /** Scroll the selected table into view within its own list; the page does not scroll. */
  #scrollList() {
    const list = part("tables").closest("section");
    if (getComputedStyle(list).overflowY === "auto")
      part("tables").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Return the reading of a table, and its photos; null if there is none.
   *
   * @param {Api.TableDocument} table
   */
  async #seenOf(table) {
    const reading = await this.session.reading(table);
    if (!reading.report) return null;
    return { report: reading.report, photos: await tablePhotos(reading, readingLink(table, this.session.event)) };
  }

  /**
   * Return the first question that was not skipped here.
   *
   * @param {Api.TableDocument} table
   */
  async #asked(table) {
    const reading = await this.session.reading(table);
    const questions = this.#questions?.session === reading ? this.#questions : new Questions(reading);
    const [question] = questions.open;
    if (!question) return null;
    return {
      report: reading.report,
      questions,
      question,
      photo: await reading.photo(question.photo),
      left: questions.open.length,
    };
  }

  /** @param {number} id */
  #goTo(id) {
    this.#follows = false;
    this.#current = id;
    this.#draw();
    part("card").scrollIntoView({ block: "nearest" });
  }

  /** @param {number} by */
  #step(by) {
    const { tables } = this.session;
    const at = tables.indexOf(this.#table) + by;
    if (tables[at]) this.#goTo(tables[at].id);
  }

  /**
   * Return the next table that needs a person, or the first one; else the same table.
   *
   * @param {number | null} id
   */
  #next(id) {
    const { tables } = this.session;
    const at = tables.findIndex((table) => table.id === id);
    /** @param {Api.TableDocument} table */
    const open = (table) => table.id !== id && OPEN.includes(table.state);
    return (tables.slice(at + 1).find(open) ?? tables.find(open))?.id ?? id ?? tables[0]?.id ?? null;
  }

  #confirm() {
    const table = this.#seen;
    if (table?.reading && OPEN.includes(table.state)) this.#decide(table, { confirm: true }, "told-checked");
  }

  /** @param {number} index */
  #choose(index) {
    const choice = this.#question?.choices[index];
    if (choice) this.#answer(choice);
  }

  /** @param {AnyChoice} choice */
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
    if (this.session.mayDecide && table && OPEN.includes(table.state))
      askReason((reason) => this.#decide(table, { unscorable: reason }, "told-unscorable"));
  }

  /** Undo the last decision made here, on whichever table; else the last one of this table. */
  #undo() {
    const table = this.session.last ?? this.#seen;
    return (table?.decided_at || table?.reading) && this.#decide(table, { undo: true }, "told-undone");
  }

  /**
   * Save names and points on the score track that were typed beside the table.
   *
   * @param {Api.TableDocument} table
   * @param {Correction[]} corrections
   */
  #typed(table, corrections) {
    if (this.#busy || !corrections.length) return null;
    this.#busy = true;
    return this.#guard(async () => {
      try {
        const form = part("typed-players");
        await this.session.correct(table, corrections);
        saved(form);
        announce(say("told-typed", { table: placeOf(table) }));
      } finally {
        this.#busy = false;
        this.#draw();
      }
    });
  }

  /**
   * Change the order by which the players are ranked.
   *
   * @param {string[]} order
   */
  #rank(order) {
    return this.#guard(() => this.session.rank(order));
  }

  /** Ask for a table's photos; the link for handing in opens this directly. */
  handIn() {
    this.#add();
  }

  /**
   * @param {FileList | null} [dropped]
   * @param {Api.PairingDocument | null} [pairing]
   */
  #add(dropped = null, pairing = null) {
    const acts = {
      onTable: (table) => this.#added(table),
      onTables: (tables) => {
        this.#follows = true;
        this.sending.send(tables);
      },
    };
    if (this.session.event.may_add && !document.querySelector("dialog[open]"))
      openAddTable(this.session, acts, dropped, pairing);
  }

  /** Add photos to a table that is unchecked and not being read. */
  #addPhotos() {
    const table = this.#seen;
    if (this.session.mayDecide && table && [...OPEN, "waiting"].includes(table.state))
      openAddPhotos(this.session, table, placeOf(table), (now) => this.#added(now));
  }

  /** @param {Api.TableDocument} table */
  #added(table) {
    announce(say(table.state === "reading" ? "told-added" : "told-same", { table: placeOf(table) }));
    this.#goTo(table.id);
    this.#follows = true;
  }

  #delete() {
    const table = this.#seen;
    if (table)
      confirmDelete(say("delete-table-sure"), async () => {
        await this.session.deleteTable(table);
        announce(say("told-deleted", { table: placeOf(table) }));
      });
  }

  /**
   * Make one decision at a time; afterwards select the next table that needs a person.
   *
   * @param {Api.TableDocument} table
   * @param {object} asked
   * @param {string} told
   */
  #decide(table, asked, told) {
    if (this.#busy || !this.session.mayDecide) return null;
    this.#busy = true;
    const next = this.#next(table.id);
    return this.#guard(async () => {
      try {
        await this.session.decide(table, asked);
        const now = this.session.table(table.id);
        this.#current = OPEN.includes(now?.state) ? table.id : next;
        this.#follows = true;
        announce(say(told, { table: placeOf(table) }));
      } finally {
        this.#busy = false;
        this.#draw();
      }
    });
  }

  /** @param {string} token */
  async #take(token) {
    this.session.token = token;
    await this.session.load();
    if (!this.session.mayDecide) throw new Error(say("error-not_yours"));
    rememberEvent(this.session.id, token, this.session.event.name);
    this.#shown = "";
    this.#draw();
  }

  /** @param {() => unknown} action */
  async #guard(action) {
    try {
      await action();
    } catch (error) {
      announce(error.message, true);
    }
  }
}
