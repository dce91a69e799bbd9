// Sentences that the server makes in English alone (the rules in plain words, contradictions, what the camera lacks) in
// the chosen language. Each `told.*` text of the English catalogue is a pattern for one of them; its parameters say what
// stands there: {number}, {text}, a list of {ranks}, "a 7 or an 8" as {a}, {plurals}, and {…_told}, a sentence within.
import { chosenLanguage, english, forfeitWords, list, rankName, t } from "./words.js";

// Where the screens say it otherwise than the server: without the game's rude name, and without the command line's words.
const SAID = {
  "told.end.loser": "Who has no card left is out. The last one with cards loses and is the shithead.",
  "told.end.forfeit": "The loser owes: {text}.",
  "told.clash.no-jokers": "jokers reverse, but there are no jokers in the deck: set jokers=1 or jokers=2",
  "told.clash.idle-jokers": "there are jokers in the deck, but they do nothing: set joker=reverse or jokers=0",
  "told.clash.few": "Shithead needs at least two players, not {number}",
  "told.record.full": "{text} could not be written: the disk is full; free some space, the game goes on meanwhile",
  "told.record.other": "{text_file} could not be written: {text}",
  "told.trouble.silent": "silent",
  "told.trouble.frozen": "frozen",
  "told.trouble.black": "black",
  "told.trouble.ended": "ended",
};
const RANKS = "23456789TJQKAX".split("");
const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
let patterns = null;
const kept = {};

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const kindOf = (name) => (/_told$/.test(name) ? "told" : name.split("_")[0]);

// The ranks by what the English sentences call them: "7" and "jack", "a 7" and "a jack", "7s" and "jacks".
function namesIn(texts, prefix) {
  const names = {};
  RANKS.forEach((rank) => {
    names[texts[prefix + rank].toLowerCase()] = rank;
  });
  return names;
}

function compile(texts) {
  const names = { ranks: namesIn(texts, "rank-name."), a: namesIn(texts, "a-rank."), plurals: namesIn(texts, "rank-plural.") };
  names.either = names.ranks;
  const source = { number: "\\d+", word: "[a-z]+|\\d+", text: ".+", told: ".+?" };
  Object.keys(names).forEach((kind) => {
    const one = "(?:" + Object.keys(names[kind]).sort((x, y) => y.length - x.length).map(literal).join("|") + ")";
    source[kind] = one + "(?:, " + one + ")*(?: (?:and|or) " + one + ")?";
  });
  const made = Object.keys(texts)
    .filter((key) => key.indexOf("told.") === 0)
    .map((key) => {
      const parameters = [];
      const parts = (SAID[key] || texts[key]).split(/\{(\w+)\}/);
      const expression = parts
        .map((part, index) => {
          if (index % 2 === 0) return literal(part);
          parameters.push(part);
          return "(" + source[kindOf(part)] + ")";
        })
        .join("");
      return { key: key, parameters: parameters, expression: new RegExp("^" + expression + "$", "i") };
    });
  // What says most is tried first, so that a general pattern does not swallow a particular one.
  made.sort((x, y) => x.parameters.length - y.parameters.length);
  return { made: made, names: names };
}

function shown(kind, given) {
  if (kind === "told") return find(given);
  if (kind === "number" || kind === "text") return given;
  if (kind === "word") return WORDS.indexOf(given.toLowerCase()) < 0 ? given : String(WORDS.indexOf(given.toLowerCase()));
  const ranks = given.toLowerCase().split(/, | and | or /).map((name) => patterns.names[kind][name]);
  if (kind === "ranks") return list(ranks.map(rankName));
  if (kind === "either") return list(ranks.map(rankName), "or");
  if (kind === "a") return list(ranks.map((rank) => t("a-rank." + rank)), "or");
  return list(ranks.map((rank) => t("rank-plural." + rank)));
}

function find(words) {
  for (let i = 0; i < patterns.made.length; i += 1) {
    const pattern = patterns.made[i];
    const match = pattern.expression.exec(words);
    if (match) {
      const values = {};
      const whole = pattern.parameters.every((name, index) => {
        values[name] = shown(kindOf(name), match[index + 1]);
        return values[name] !== null;
      });
      if (pattern.key === "told.end.forfeit") values.text = forfeitWords(values.text);
      if (whole) return t(pattern.key, values);
    }
  }
  return null;
}

/** The sentence in the chosen language; its own English, marked, where no pattern is like it. */
export function told(words) {
  if (!words) return "";
  const place = chosenLanguage() + ":" + words;
  if (kept[place] === undefined) {
    const texts = english();
    if (!texts) return words;
    if (!patterns) patterns = compile(texts);
    const found = find(words);
    const capital = /^[A-Z0-9]/.test(words);
    if (found === null) kept[place] = chosenLanguage() === "en" ? words : "[en] " + words;
    else kept[place] = capital ? found.charAt(0).toUpperCase() + found.slice(1) : found;
  }
  return kept[place];
}
