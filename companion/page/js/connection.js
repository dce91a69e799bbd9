// The line to the server: a WebSocket with a full snapshot at every start, polling where sockets do not get through.
import { prefer, state, update } from "./store.js";
import { tell } from "./parts.js";
import { t } from "./words.js";

// The server beats every second. Past this the screen says that it is stale, and what was missed is summed up, not spoken.
const STALE_MS = 2600;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
const ANSWER_MS = 4000; // without an answer for so long it is not known whether a command arrived; it is then repeated as often
const POLL_MS = 1000;
const PLACE = "pilewatch-place"; // boot and seq, kept while the tab lives: phones throw sleeping pages away

let socket = null;
let failures = 0;
let heard = 0;
let timer = null;
let polling = false;
let opened = false;
let onEntries = () => {};
let counter = 0;
let away = false;
let awayBefore = false; // had nothing been heard for a while when this socket opened?
const waiting = {}; // by id: {message, promise, resolve, timer, boot, sent, at, late}
// These do something a second time where a server that was started anew does not know that it did them.
const ONCE = { "new-game": true, rematch: true, "end-game": true, flag: true };
// These say how something shall be from now on. Whoever says it anew means the new one: an older one that was lost on the
// way never comes after it.
const SETS = { "set-up": true, sit: true, name: true, "by-hand": true, camera: true, address: true, decider: true, role: true, "hand-over": true };
const newest = {}; // by what is set: what was asked last
let own = { game: "", seqs: {} }; // what this device did itself is nothing that it missed

const now = () => (window.performance ? performance.now() : Date.now());

/** Starts; `entries(list)` is called with log entries that arrive live, oldest first. */
export function connect(entries) {
  onEntries = entries;
  try {
    const place = JSON.parse(window.sessionStorage.getItem(PLACE) || "{}");
    if (place.boot) update({ boot: String(place.boot), seq: Number(place.seq) || 0 });
  } catch (error) {
    // Without storage a reload starts from the snapshot alone.
  }
  window.addEventListener("pagehide", remember);
  open();
  window.setInterval(watch, 250);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) remember();
    else wake();
  });
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) wake();
  });
}

function remember() {
  try {
    window.sessionStorage.setItem(PLACE, JSON.stringify({ boot: state.boot, seq: state.seq }));
  } catch (error) {
    // As above.
  }
}

// A phone that slept may hold a socket that only looks open: what counts is when it was last heard.
function wake() {
  if (now() - heard < 1800) return;
  failures = 0;
  reopen(0);
}

function watch() {
  if (state.contact === "not-joined") return;
  const stale = now() - heard > STALE_MS;
  if (stale !== state.stale) update({ stale: stale });
  if (stale && socket && socket.readyState === 1 && now() - heard > 2 * STALE_MS) reopen(0);
}

function reopen(wait) {
  if (socket) {
    socket.onclose = null;
    socket.onmessage = null;
    socket.onerror = null;
    socket.close();
    socket = null;
  }
  window.clearTimeout(timer);
  timer = window.setTimeout(open, wait);
}

function since() {
  return state.boot ? "?since=" + state.seq + "&boot=" + encodeURIComponent(state.boot) : "";
}

function open() {
  if (socket && socket.readyState < 2) return;
  const scheme = window.location.protocol === "https:" ? "wss://" : "ws://";
  opened = false;
  try {
    socket = new WebSocket(scheme + window.location.host + "/api/socket" + since());
  } catch (error) {
    return closed({ code: 1006 });
  }
  const mine = socket;
  // A network that swallows the upgrade neither opens nor closes: give up on it and poll.
  window.setTimeout(() => {
    if (mine.readyState === 0) {
      mine.onclose = null;
      mine.close();
      closed({ code: 1006 });
    }
  }, 4000);
  mine.onmessage = (event) => {
    let message;
    try {
      message = JSON.parse(event.data);
    } catch (error) {
      return;
    }
    receive(message);
  };
  mine.onclose = closed;
}

function closed(event) {
  socket = null;
  if (event.code === 4001) return update({ contact: "not-joined" });
  failures = opened ? 1 : failures + 1;
  opened = false;
  if (failures >= 2) poll();
  else if (state.contact === "live") update({ contact: "lost" });
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * Math.pow(2, failures));
  window.clearTimeout(timer);
  timer = window.setTimeout(open, longest * (0.5 + Math.random() / 2));
}

function receive(message) {
  if (!opened) awayBefore = now() - heard > STALE_MS;
  heard = now();
  if (!opened) {
    opened = true;
    failures = 0;
  }
  if (state.stale) update({ stale: false });
  if (message.type === "hello") hello(message);
  else if (message.type === "snapshot") socketSnapshot(message);
  else if (message.type === "event") {
    take(message);
    onEntries([message.entry], message.table);
  } else if (message.type === "table") take(message);
  else if (message.type === "answer") settle(message);
  else if (message.type === "beat" && message.v > state.v && socket) reopen(0);
}

function hello(message) {
  // Whoever comes back after a reload is told too that the role has gone meanwhile.
  const was = state.you ? state.you.role === "host" : state.preferences.host;
  const is = message.you.role === "host";
  if ((state.you || was) && was !== is) tell(t(is ? "people.gained" : "people.lost"));
  if (state.preferences.host !== is) prefer({ host: is });
  const changes = { you: message.you, server: message.server };
  if (message.boot !== state.boot) Object.assign(changes, { boot: message.boot, seq: 0, v: -1, missed: [] });
  update(changes);
}

function snapshot(message, contact) {
  const missed = others(message.table, message.missed || []).filter((entry) => !entry.evidence);
  update({
    contact: contact || "live",
    stale: false,
    boot: message.boot,
    v: message.v,
    seq: message.seq,
    table: message.table,
    missed: missed.length ? state.missed.concat(missed).slice(-40) : state.missed,
  });
  onEntries([], message.table);
  repeat();
}

const gameOf = (table) => (table && table.game ? table.game.id : "");

function others(table, entries) {
  return own.game === gameOf(table) ? entries.filter((entry) => !own.seqs[entry.seq]) : entries;
}

// Where polling went on until the socket opened, nobody was away: what came in between is news.
function socketSnapshot(message) {
  const fresh = (message.missed || []).filter((entry) => entry.seq > state.seq);
  snapshot(Object.assign({}, message, { missed: awayBefore ? fresh : [] }));
  if (!awayBefore) onEntries(fresh, message.table);
}

function take(message) {
  if (message.v < state.v) return;
  update({ v: message.v, seq: message.seq, table: message.table, contact: "live" });
}

// While sockets fail; each round asks for what is newer than what is known.
function poll() {
  if (polling) return;
  polling = true;
  const round = () => {
    if (socket && socket.readyState === 1 && opened) {
      polling = false;
      return;
    }
    const asked = now();
    fetch("/api/poll?since=" + state.seq + "&boot=" + encodeURIComponent(state.boot) + "&v=" + state.v, { credentials: "same-origin" })
      .then((response) => {
        if (response.status === 401) {
          polling = false;
          window.clearTimeout(timer);
          update({ contact: "not-joined" });
          return null;
        }
        // Slept or cut off since the last answer? A slow answer alone is not being away.
        // Where a socket opened meanwhile, its own first message finds out.
        if (!(socket && socket.readyState === 1)) {
          away = asked - heard > STALE_MS;
          heard = now();
        }
        if (response.status === 204) {
          const back = state.contact !== "polling";
          update({ contact: "polling", stale: false });
          if (back) repeat();
          return null;
        }
        return response.ok ? response.json() : null;
      })
      .then((body) => {
        if (body && !(socket && socket.readyState === 1)) {
          const before = state.seq;
          const sameStart = state.boot === body.snapshot.boot;
          hello(body.hello);
          const fresh = sameStart ? body.snapshot.missed || [] : [];
          const live = away ? [] : fresh;
          snapshot(Object.assign({}, body.snapshot, { missed: away ? fresh : [] }), "polling");
          onEntries(live.filter((entry) => entry.seq > before), body.snapshot.table);
        }
      })
      .catch(() => update({ contact: "lost" }))
      .then(() => {
        if (polling) window.setTimeout(round, POLL_MS);
      });
  };
  round();
}

function settle(answer) {
  const asked = waiting[answer.id];
  if (!asked) return;
  // Too much at once says nothing of the first time: it is asked again.
  if (asked.late && answer.error && answer.error.code === "too-many") return;
  delete waiting[answer.id];
  window.clearTimeout(asked.timer);
  if (!answer.ok && answer.error && answer.error.table) {
    take({ v: Math.max(state.v, answer.v || 0), seq: answer.error.seq, table: answer.error.table });
  }
  if (answer.ok && answer.ruling) mine(answer.ruling.seq);
  if (asked.late) countUnanswered();
  asked.resolve(asked.late ? Object.assign({}, answer, { late: true }) : answer);
}

function mine(seq) {
  if (own.game !== gameOf(state.table)) own = { game: gameOf(state.table), seqs: {} };
  own.seqs[seq] = true;
  update({ missed: others(state.table, state.missed) });
}

function countUnanswered() {
  update({ unanswered: Object.keys(waiting).filter((id) => waiting[id].late).length });
}

/** Sends one command and resolves with its answer; never rejects. `no-contact` says that nothing was ever sent. What was
 * sent and not answered is repeated, with the same id, until the table says what became of it: its answer is `late`. */
export function command(name, fields) {
  const again = (asked) => asked.late && sameCommand(asked.message, name, fields) && whatSets(asked.message).every((what) => newest[what] === asked);
  const same = Object.keys(waiting).filter((id) => again(waiting[id]))[0];
  if (same) return waiting[same].promise;
  counter += 1;
  const id = "p" + Date.now().toString(36) + "-" + Math.random().toString(36).slice(2, 10) + "-" + counter;
  const asked = { message: { id: id, based_on: state.seq, name: name, fields: Object.assign({}, fields) }, boot: state.boot, sent: false, late: false };
  asked.promise = new Promise((resolve) => {
    asked.resolve = resolve;
  });
  waiting[id] = asked;
  asked.timer = window.setTimeout(() => unanswered(asked), ANSWER_MS);
  whatSets(asked.message).forEach((what) => {
    newest[what] = asked;
  });
  if (heardLately()) send(asked);
  else reach(asked);
  return asked.promise;
}

const sameCommand = (message, name, fields) => message.name === name && JSON.stringify(message.fields) === JSON.stringify(fields || {});
const live = () => Boolean(socket && socket.readyState === 1 && opened);
const heardLately = () => now() - heard < STALE_MS && (live() || state.contact === "polling");

// Where the table was not heard lately, something harmless is asked first: a command that never left changed nothing.
function reach(asked) {
  fetch("/api/poll?since=" + state.seq + "&boot=" + encodeURIComponent(state.boot) + "&v=" + state.v, { credentials: "same-origin" }).then(
    () => waiting[asked.message.id] && !asked.sent && send(asked),
    () => !asked.sent && refuse(asked, "no-contact"),
  );
}

const refuse = (asked, code) => settle({ id: asked.message.id, ok: false, error: { code: code, words: "" } });

/** What a command sets: each part of a set-up for itself, else the command's name and the device that it is about. */
function whatSets(message) {
  if (!SETS[message.name]) return [];
  if (message.name === "set-up") return Object.keys(message.fields).map((part) => "set-up " + part);
  return [message.name + " " + (message.fields.device || "")];
}

// What is set anew meanwhile is left out; where nothing is left, it ends as the newer one does.
function outdated(asked) {
  const message = asked.message;
  const old = whatSets(message).filter((what) => newest[what] !== asked);
  if (!old.length) return false;
  if (message.name === "set-up") {
    old.forEach((what) => delete message.fields[what.slice("set-up ".length)]);
    if (whatSets(message).length) return false;
  }
  delete waiting[message.id];
  window.clearTimeout(asked.timer);
  countUnanswered();
  newest[old[0]].promise.then(asked.resolve);
  return true;
}

// The same id again: the server gives the first answer and applies nothing twice.
function send(asked) {
  if (outdated(asked)) return;
  if (asked.sent && asked.boot !== state.boot && ONCE[asked.message.name]) return refuse(asked, "not-known");
  asked.sent = true;
  asked.at = now();
  if (live()) socket.send(JSON.stringify(asked.message));
  else post(asked);
}

function unanswered(asked) {
  if (!asked.sent) return refuse(asked, "no-contact");
  asked.late = true;
  countUnanswered();
  asked.timer = window.setTimeout(() => unanswered(asked), ANSWER_MS);
  if (heardLately()) send(asked);
}

// There is contact again. What left a moment ago may still be answered.
function repeat() {
  Object.keys(waiting).forEach((id) => {
    if (!waiting[id].sent || now() - waiting[id].at > 1000) send(waiting[id]);
  });
}

// Without an answer it stays open whether the table took it.
function post(asked) {
  const message = asked.message;
  fetch("/api/command", {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
  })
    .then((response) => response.json())
    .then((answer) => (answer.type === "answer" || "ok" in answer ? settle(answer) : settle({ id: message.id, ok: false, error: answer.error })))
    .catch(() => {});
}

/** JSON from a route; rejects with the error object `{code, words}`. */
export function get(path, options) {
  return fetch(path, Object.assign({ credentials: "same-origin" }, options || {})).then(
    (response) =>
      response.json().then(
        (body) => (response.ok ? body : Promise.reject(body.error || { code: "no-answer", words: "" })),
        () => (response.ok ? null : Promise.reject({ code: "no-answer", words: "" })),
      ),
    () => Promise.reject({ code: options && options.method ? "not-known" : "no-contact", words: "" }),
  );
}

export function postJson(path, body) {
  return get(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}
