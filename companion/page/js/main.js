// Starts the page: texts, the line to the server, and a new drawing after every change.
import { html, render } from "../vendor/htm-preact.js";
import { connect } from "./connection.js";
import { followGame, loadPreferences, state, subscribe, update } from "./store.js";
import { chosenLanguage, guessLanguage, loadLanguage, namesFrom, t } from "./words.js";
import { hearEntries } from "./calls.js";
import { prime } from "./speech.js";
import { App } from "./views/app.js";

const root = document.getElementById("app");
let drawing = false;

// Several changes in one moment are drawn once.
function draw() {
  if (drawing) return;
  drawing = true;
  window.requestAnimationFrame(() => {
    drawing = false;
    dress();
    render(html`<${App} />`, root);
  });
}

function dress() {
  const page = document.documentElement;
  const wanted = { "data-look": state.preferences.look, "data-large": state.preferences.large ? "yes" : "", "data-still": state.preferences.still ? "yes" : "" };
  Object.keys(wanted).forEach((name) => {
    if (wanted[name]) page.setAttribute(name, wanted[name]);
    else page.removeAttribute(name);
  });
  const polite = document.getElementById("polite");
  if (polite.textContent !== state.spoken) polite.textContent = state.spoken;
  const urgent = document.getElementById("urgent");
  if (urgent.textContent !== state.alarm) urgent.textContent = state.alarm;
}

function readRoute() {
  update({ route: window.location.hash.replace(/^#/, "") });
}

let loading = "";
function followLanguage() {
  const wanted = state.preferences.language || guessLanguage();
  if (wanted === chosenLanguage() || wanted === loading) return;
  loading = wanted;
  loadLanguage(wanted).then(() => {
    loading = "";
    document.title = t("app.title");
    update({});
  });
}

loadPreferences();
namesFrom(() => {
  const table = state.table;
  if (!table) return [];
  return (table.view ? table.view.players : table.set_up.players).map((player) => player.name);
});
window.addEventListener("hashchange", readRoute);
// After a reload any tap wakes the voice; before that the welcome does, and asks.
document.addEventListener("click", () => {
  if (state.preferences.begun && state.preferences.sound && state.table && state.table.game) prime();
});
loadLanguage(state.preferences.language || guessLanguage()).then(() => {
  root.textContent = "";
  document.title = t("app.title");
  subscribe(draw);
  subscribe(followLanguage);
  subscribe(followGame);
  readRoute();
  connect(hearEntries);
});
