// Card faces, drawn here: one SVG per card, crisp at every size, in four colours with a letter beside each suit.
import { html } from "../vendor/htm-preact.js";
import { cardName, rankLetter, suitLetter, t } from "./words.js";

const CLUB =
  "M50 6a20 20 0 0 1 14 34.3a20 20 0 1 1-9.6 27.4c.6 11 4 18.8 11.6 26.3H34c7.6-7.5 11-15.3 11.6-26.3" +
  "a20 20 0 1 1-9.6-27.4A20 20 0 0 1 50 6z";
const SUITS = {
  C: CLUB,
  D: "M50 3C59 22 72 39 88 50C72 61 59 78 50 97C41 78 28 61 12 50C28 39 41 22 50 3z",
  H: "M50 93C22 67 7 50 7 31C7 16 18 7 30 7C40 7 47 13 50 23C53 13 60 7 70 7C82 7 93 16 93 31C93 50 78 67 50 93z",
  S: "M50 4C56 23 91 41 91 63C91 76 81 83 71 82C63 81 57 76 53.5 69.5C54 80 58 88 66 95H34C42 88 46 80 46.5 69.5C43 76 37 81 29 82C19 83 9 76 9 63C9 41 44 23 50 4z",
};

// Where the pips of 2 .. 10 lie: x and y in the card's own units (100 wide, 140 high); those below the middle stand on their heads.
const LEFT = 33;
const RIGHT = 67;
const COLUMNS = {
  2: [[50, 32], [50, 108]],
  3: [[50, 32], [50, 70], [50, 108]],
  4: [[LEFT, 32], [RIGHT, 32], [LEFT, 108], [RIGHT, 108]],
  5: [[LEFT, 32], [RIGHT, 32], [50, 70], [LEFT, 108], [RIGHT, 108]],
  6: [[LEFT, 32], [RIGHT, 32], [LEFT, 70], [RIGHT, 70], [LEFT, 108], [RIGHT, 108]],
  7: [[LEFT, 32], [RIGHT, 32], [50, 51], [LEFT, 70], [RIGHT, 70], [LEFT, 108], [RIGHT, 108]],
  8: [[LEFT, 32], [RIGHT, 32], [50, 51], [LEFT, 70], [RIGHT, 70], [50, 89], [LEFT, 108], [RIGHT, 108]],
  9: [[LEFT, 30], [RIGHT, 30], [LEFT, 56], [RIGHT, 56], [50, 70], [LEFT, 84], [RIGHT, 84], [LEFT, 110], [RIGHT, 110]],
  T: [[LEFT, 30], [RIGHT, 30], [50, 43], [LEFT, 56], [RIGHT, 56], [LEFT, 84], [RIGHT, 84], [50, 97], [LEFT, 110], [RIGHT, 110]],
};

// Court cards carry a hat each, not a face: a plumed cap, a coronet, a crown. Drawn for the upper half in a box of 60 by 36.
const HATS = {
  J: "M8 34h38c2-8-2-15-10-17C46 14 53 8 55 0C42 1 33 6 29 15C17 15 8 22 8 34z",
  Q: "M6 34L2 13l12 9L20 5l10 13L40 5l6 17l12-9l-4 21z",
  K: "M5 34V10l12 10L27 8h-5V3h5V-2h6v5h5v5h-5l10 12L55 10v24z",
};

export function parseCard(text) {
  const rank = text.charAt(0);
  const suit = text.charAt(1);
  return { rank: rank, suit: SUITS[suit] ? suit : "", joker: text === "XX", unknown: rank === "?" };
}

/** One suit symbol in a box of its own. */
export function Pip(props) {
  const path = SUITS[props.suit];
  if (!path) return null;
  return html`<svg class=${"pip suit-" + props.suit} viewBox="0 0 100 100" aria-hidden="true" focusable="false">
    <path d=${path} />
  </svg>`;
}

function place(suit, x, y, size) {
  const turn = y > 70.5 ? " rotate(180)" : "";
  return html`<path
    d=${SUITS[suit]}
    transform=${"translate(" + x + " " + y + ")" + turn + " scale(" + size / 100 + ") translate(-50 -50)"}
  />`;
}

function corner(card) {
  const letter = rankLetter(card.rank);
  const narrow = letter.length > 1;
  return html`<g class="index">
    <text x="13.5" y="27" text-anchor="middle" textLength=${narrow ? 19 : null} lengthAdjust="spacingAndGlyphs">${letter}</text>
    ${card.suit && place(card.suit, 13.5, 38, 15)}
    ${card.suit && html`<text class="letter" x="13.5" y="55.5" text-anchor="middle">${suitLetter(card.suit)}</text>`}
  </g>`;
}

function middle(card) {
  if (!card.suit) {
    return html`<text class="large" x="50" y="92" text-anchor="middle">${rankLetter(card.rank)}</text>`;
  }
  if (COLUMNS[card.rank]) {
    return COLUMNS[card.rank].map((spot) => place(card.suit, spot[0], spot[1], 23));
  }
  if (card.rank === "A") {
    return html`<g><circle class="ring" cx="50" cy="70" r="33" /><circle class="ring dots" cx="50" cy="70" r="37.5" />
      ${place(card.suit, 50, 70, 44)}</g>`;
  }
  const half = html`<g>
    <path class="hat" d=${HATS[card.rank]} transform="translate(29 27) scale(.7)" />
    ${place(card.suit, 50, 61, 17)}
  </g>`;
  return html`<g class="court">
    <rect class="frame" x="25.5" y="14" width="49" height="112" rx="3" />
    <path class="sash" d="M25.5 84L74.5 56v8L25.5 92zM25.5 76L74.5 48v3L25.5 79z" />
    ${half}<g transform="rotate(180 50 70)">${half}</g>
  </g>`;
}

function joker() {
  return html`<g class="joker">
    <text class="star" x="13.5" y="27" text-anchor="middle">★</text>
    <path class="hat" d="M50 30C40 44 28 40 22 56C30 52 36 54 38 60L34 82H66L62 60C64 54 70 52 78 56C72 40 60 44 50 30z" />
    <circle cx="50" cy="28" r="4.5" /><circle cx="21" cy="58" r="4.5" /><circle cx="79" cy="58" r="4.5" />
    <text class="word" x="50" y="104" text-anchor="middle" textLength="60" lengthAdjust="spacingAndGlyphs">${t("rank.X").toUpperCase()}</text>
  </g>`;
}

function face(card) {
  if (card.unknown) return html`<text class="large" x="50" y="92" text-anchor="middle">?</text>`;
  if (card.joker) return joker();
  return html`<g>${corner(card)}<g transform="rotate(180 50 70)">${corner(card)}</g>${middle(card)}</g>`;
}

// Small cards are read from a metre away: rank and suit alone, as large as the card allows.
function smallFace(card) {
  if (card.unknown) return html`<text class="large" x="50" y="94" text-anchor="middle">?</text>`;
  const letter = card.joker ? "★" : rankLetter(card.rank);
  return html`<g class="plain">
    <text class="jumbo" x="50" y=${card.suit ? 70 : 98} text-anchor="middle" textLength=${letter.length > 1 ? 74 : null} lengthAdjust="spacingAndGlyphs">${letter}</text>
    ${card.suit && html`<path d=${SUITS[card.suit]} transform="translate(14 84) scale(.4)" />`}
    ${card.suit && html`<text class="jumbo-letter" x="76" y="118" text-anchor="middle">${suitLetter(card.suit)}</text>`}
  </g>`;
}

/** A card face. size: "small" (rank and suit only), "medium" or "large"; ghost: seen through, not to be answered. */
export function Card(props) {
  const card = parseCard(props.card);
  const small = props.size === "small";
  const kind = card.unknown ? "unknown" : card.joker ? "wild" : card.suit ? "suit-" + card.suit : "suitless";
  return html`<svg
    class=${"card " + (props.size || "medium") + " " + kind + (props.ghost ? " ghost" : "")}
    viewBox="0 0 100 140"
    role="img"
    focusable="false"
    aria-label=${props.hidden ? null : cardName(props.card)}
    aria-hidden=${props.hidden ? "true" : null}
  >
    <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
    ${small ? smallFace(card) : face(card)}
  </svg>`;
}

/** The back of a card: the scalloped edge of a beer mat, woven. */
export function Back(props) {
  const rows = [];
  for (let y = 0; y < 6; y += 1) {
    for (let x = 0; x < 4; x += 1) {
      rows.push(html`<circle cx=${17 + x * 22} cy=${15 + y * 22} r="9.5" />`);
    }
  }
  return html`<svg class=${"card back " + (props.size || "small")} viewBox="0 0 100 140" aria-hidden="true" focusable="false">
    <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
    <rect class="field" x="7" y="7" width="86" height="126" rx="5" />
    <g class="weave">${rows}</g>
  </svg>`;
}
