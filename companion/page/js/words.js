// Every text a person reads or hears: one catalogue per language, keyed by the referee's codes and by the page's own keys.

export const LANGUAGES = ["en", "de", "sv", "fr", "nl"];
export const FORFEITS = ["deal", "tea", "drinks", "dishes"];
const RANKS = "23456789TJQKAX";
const catalogues = {};
let language = "en";
let names = () => [];

export function chosenLanguage() {
  return language;
}

/** Loads `wanted` (and English, to fall back on); resolves when both are here. */
export function loadLanguage(wanted) {
  const load = (code) =>
    catalogues[code]
      ? Promise.resolve()
      : fetch("/catalogue/" + code + ".json", { credentials: "same-origin" })
          .then((response) => (response.ok ? response.json() : {}))
          .catch(() => ({}))
          .then((texts) => {
            if (Object.keys(texts).length) catalogues[code] = texts;
          });
  return Promise.all([load("en"), load(wanted)]).then(() => {
    language = wanted;
    document.documentElement.lang = wanted;
  });
}

/** `get()` gives the players' names by seat: the referee may name a seat by its index. */
export function namesFrom(get) {
  names = get;
}

export function guessLanguage() {
  const wished = (navigator.languages || [navigator.language || "en"]).map((tag) => String(tag).slice(0, 2));
  for (let i = 0; i < wished.length; i += 1) if (LANGUAGES.indexOf(wished[i]) >= 0) return wished[i];
  return "en";
}

function find(key) {
  const own = catalogues[language];
  if (own && own[key] !== undefined) return { text: own[key], language: language };
  const english = catalogues.en;
  if (english && english[key] !== undefined) return { text: english[key], language: "en" };
  return null;
}

export function has(key) {
  return find(key) !== null;
}

function plural(entry, parameters) {
  if (typeof entry === "string") return entry;
  const count = Number(parameters.count !== undefined ? parameters.count : parameters.number);
  const one = language === "fr" ? count < 2 : count === 1;
  return one ? entry.one : entry.other;
}

// A text that this language lacks is shown in English and marked, never replaced by a neighbour's.
function marked(found, text) {
  return found.language === language ? text : "[en] " + text;
}

/** The text of `key` with its parameters put in. */
export function t(key, parameters, spoken) {
  const found = find(key);
  if (!found) return "[" + key + "]";
  return marked(found, fill(plural(found.text, parameters || {}), parameters || {}, spoken));
}

export function fill(template, parameters, spoken) {
  return template.replace(/\{(\w+)\}/g, (whole, name) =>
    parameters[name] === undefined ? whole : value(name, parameters[name], spoken),
  );
}

export function value(name, given, spoken) {
  if (Array.isArray(given)) return list(given.map((one) => value(name.replace(/s$/, ""), one, spoken)));
  if (/(^|_)(rank|other|through)$/.test(name)) return spoken ? rankName(String(given)) : rankLetter(String(given));
  if (/(^|_)card$/.test(name)) return spoken ? cardName(String(given)) : cardShort(String(given));
  if (/^(seat|player|by|name)$/.test(name)) return spoken ? playerName(given) : isolated(playerName(given));
  if (name === "forfeit") return forfeitWords(String(given));
  return String(given);
}

export function playerName(seat) {
  const known = names();
  return typeof seat === "number" && known[seat] !== undefined ? known[seat] : String(seat);
}

/** A name within a sentence: one that is written from right to left leaves the rest of the line where it is. */
export const isolated = (name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? "\u2068" + name + "\u2069" : name);

// What the server calls a device that nobody has named yet.
const DEFAULT_NAME = /^(Phone|TV) (\d+)$/;

export const isDefaultName = (name) => DEFAULT_NAME.test(name);

/** A device's name; the one that the server gave it in this language. */
export function deviceName(name) {
  const found = DEFAULT_NAME.exec(name);
  return found ? t(found[1] === "TV" ? "device.tv" : "device.phone", { count: found[2] }) : name;
}

export function list(items, word) {
  if (items.length < 2) return items.join("");
  return items.slice(0, -1).join(", ") + " " + t(word || "and") + " " + items[items.length - 1];
}

export const rankLetter = (rank) => (RANKS.indexOf(rank) >= 0 && rank ? t("rank." + rank) : rank === "10" ? t("rank.T") : rank);
export const rankName = (rank) => (RANKS.indexOf(rank) >= 0 && rank ? t("rank-name." + rank) : rankLetter(rank));
export const suitLetter = (suit) => t("suit-letter." + suit);

/** "7 of hearts", for a screen reader and a voice. */
export function cardName(card) {
  if (card === "XX") return t("rank-name.X");
  if (card.charAt(0) === "?") return t("card.unknown");
  const suit = card.charAt(1);
  if (!suit || suit === "?") return rankName(card.charAt(0));
  return t("card.name", { what: rankName(card.charAt(0)), suit: t("suit." + suit) });
}

/** "7♥", for a line of text. */
export function cardShort(card) {
  if (card === "XX") return t("rank.X");
  if (card.charAt(0) === "?") return "?";
  const symbol = { C: "♣", D: "♦", H: "♥", S: "♠" }[card.charAt(1)] || "";
  return rankLetter(card.charAt(0)) + symbol;
}

/** Which of the forfeits that are offered a text is, by its English words; "" for one of the table's own. */
export const forfeitKey = (text) => FORFEITS.filter((key) => catalogues.en && catalogues.en["forfeit." + key] === text)[0] || "";

/** What the loser does, in this language where it is one that is offered. */
export const forfeitWords = (text) => (forfeitKey(text) ? t("forfeit." + forfeitKey(text)) : text);

/** The English catalogue, which is always there to fall back on; null until it is loaded. */
export const english = () => catalogues.en || null;

/** Several messages as sentences, one after the other. */
export function sentences(list, spoken) {
  return (list || [])
    .map((said) => message(said, spoken))
    .filter(Boolean)
    .map((words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : "."))
    .join(" ");
}

/** One message of the referee, `{code, words, ...parameters}`, in the chosen language; its own English, marked, if unknown. */
export function message(said, spoken) {
  const found = find("say." + said.code);
  if (!found) return language === "en" ? said.words || "[" + said.code + "]" : "[en] " + (said.words || said.code);
  const parameters = said.count === undefined && said.number === undefined ? Object.assign({ count: 1 }, said) : said;
  const text = fill(plural(found.text, parameters), parameters, spoken);
  if (/\{\w+\}/.test(text)) return language === "en" ? said.words || text : "[en] " + (said.words || text);
  return marked(found, text);
}
