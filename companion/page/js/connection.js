// The line to the server: a WebSocket with a full snapshot at every start, polling where sockets do not get through.
import { state, update } from "./store.js";
import { tell } from "./parts.js";
import { t } from "./words.js";

// The server beats every second. Past this the screen says that it is stale, and what was missed is summed up, not spoken.
const STALE_MS = 2600;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
const ANSWER_MS = 6000;
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
const waiting = {};

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
  const was = state.you && state.you.role === "host";
  const is = message.you.role === "host";
  if (state.you && was !== is) tell(t(is ? "people.gained" : "people.lost"));
  const changes = { you: message.you, server: message.server };
  if (message.boot !== state.boot) Object.assign(changes, { boot: message.boot, seq: 0, v: -1, missed: [] });
  update(changes);
}

function snapshot(message, contact) {
  const missed = (message.missed || []).filter((entry) => !entry.evidence);
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
        away = asked - heard > STALE_MS;
        heard = now();
        if (response.status === 204) {
          update({ contact: "polling", stale: false });
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
  delete waiting[answer.id];
  window.clearTimeout(asked.timer);
  if (!answer.ok && answer.error && answer.error.table) {
    take({ v: Math.max(state.v, answer.v || 0), seq: answer.error.seq, table: answer.error.table });
  }
  asked.resolve(answer);
}

/** Sends one command and resolves with its answer; never rejects: without contact the answer says so. */
export function command(name, fields) {
  counter += 1;
  const id = "p" + Date.now().toString(36) + "-" + Math.random().toString(36).slice(2, 10) + "-" + counter;
  const message = { id: id, based_on: state.seq, name: name, fields: fields || {} };
  return new Promise((resolve) => {
    waiting[id] = { resolve: resolve, timer: window.setTimeout(() => post(message), ANSWER_MS) };
    if (socket && socket.readyState === 1) socket.send(JSON.stringify(message));
    else post(message);
  });
}

// The same id again: the server gives the first answer and applies nothing twice.
function post(message) {
  const give = (code) => settle({ id: message.id, ok: false, error: { code: code, words: "" } });
  fetch("/api/command", {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
  })
    .then((response) => response.json())
    .then((answer) => (answer.type === "answer" || "ok" in answer ? settle(answer) : settle({ id: message.id, ok: false, error: answer.error })))
    .catch(() => give("no-contact"));
}

/** JSON from a route; rejects with the error object `{code, words}`. */
export function get(path, options) {
  return fetch(path, Object.assign({ credentials: "same-origin" }, options || {})).then(
    (response) =>
      response.json().then(
        (body) => (response.ok ? body : Promise.reject(body.error || { code: "no-answer", words: "" })),
        () => (response.ok ? null : Promise.reject({ code: "no-answer", words: "" })),
      ),
    () => Promise.reject({ code: "no-contact", words: "" }),
  );
}

export function postJson(path, body) {
  return get(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}
