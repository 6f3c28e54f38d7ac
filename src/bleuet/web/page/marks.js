// The tokens of a text and what a metric marks on them.

"use strict";

const ORDER = /^(\d+)-gram/;

/** Returns the strongest mark of each token: the longest n-gram, or the kind of an edit. */
function strongest(length, marks, side) {
  const found = Array.from({ length }, () => null);
  for (const mark of marks) {
    const [begin, end] = mark[side];
    for (let at = begin; at < end; at++) {
      if (found[at] === null || rank(mark.mark) > rank(found[at])) found[at] = mark.mark;
    }
  }
  return found;
}

function rank(kind) {
  const order = ORDER.exec(kind);
  if (!order) return 1;
  return kind.includes("clipped") ? 0 : Number(order[1]);
}

/** Returns the class of a token: its colour, whether it is struck. */
function classOf(kind) {
  if (kind === null) return "unmatched";
  const order = ORDER.exec(kind);
  if (!order) return `kind-${kind.replace(/[^a-z]+/g, "-")}`;
  return kind.includes("clipped") ? "clipped" : `order-${Math.min(4, Number(order[1]))}`;
}

/** Returns which way texts run: as most of their letters. */
function directionOf(texts) {
  const letters = texts.join("").match(/\p{L}/gu) ?? [];
  const right = letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length;
  return 2 * right > letters.length ? "rtl" : "ltr";
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

function line(label, tokens, kinds, side, number) {
  const row = make("p", { className: "tokens" }, make("span", { className: "side", textContent: label }));
  tokens.forEach((token, at) => {
    const word = make("span", { className: `token ${classOf(kinds[at])}`, textContent: token, tabIndex: 0, title: kinds[at] ?? "no match" });
    Object.assign(word.dataset, { side, number, at });
    row.append(word, " ");
  });
  if (!tokens.length) row.append("(empty)");
  return row;
}

/** Shows the tokens of the hypothesis and of each reference in an element. */
function showTokens(place, marked) {
  if (!marked) {
    place.replaceChildren("This metric counts no words that could be marked.");
    return;
  }
  const { hypothesis, references, marks } = marked;
  const first = line("Hypothesis", hypothesis, strongest(hypothesis.length, marks, "hypothesis"), "hypothesis", 0);
  const others = references.map((tokens, number) => {
    const own = marks.filter((mark) => mark.reference_number === number);
    const label = references.length > 1 ? `Reference ${number + 1}` : "Reference";
    return line(label, tokens, strongest(tokens.length, own, "reference"), "reference", number);
  });
  const lines = make("div", { dir: directionOf([...hypothesis, ...references.flat()]) }, first, ...others);
  // Elements have no property for the events of focus.
  for (const event of ["pointerover", "focusin"]) {
    lines.addEventListener(event, ({ target }) => connect(lines, marks, target.closest(".token")));
  }
  for (const event of ["pointerleave", "focusout"]) lines.addEventListener(event, () => connect(lines, marks, null));
  place.replaceChildren(lines);
}

/** Shows where the tokens of a mark are on the other side. */
function connect(place, marks, token) {
  for (const one of place.querySelectorAll(".connected")) one.classList.remove("connected");
  if (!token) return;
  const { side, number, at } = token.dataset;
  const inside = ([begin, end]) => begin <= at && at < end;
  const touching = marks.filter(
    (mark) => inside(mark[side]) && (side === "hypothesis" || mark.reference_number === Number(number)),
  );
  const longest = Math.max(...touching.map((mark) => rank(mark.mark)));
  for (const mark of touching.filter((one) => rank(one.mark) === longest)) {
    highlight(place, "hypothesis", 0, mark.hypothesis);
    highlight(place, "reference", mark.reference_number, mark.reference);
  }
}

function highlight(place, side, number, [begin, end]) {
  for (let at = begin; at < end; at++) {
    place.querySelector(`[data-side="${side}"][data-number="${number}"][data-at="${at}"]`)?.classList.add("connected");
  }
}

/** Returns what the colours of these marks mean, as nodes. */
function legendOf(marked) {
  if (!marked) return [];
  const kinds = [...new Set(marked.marks.map(({ mark }) => mark))];
  if (!kinds.length) return ["Nothing matches."];
  const names = new Map(kinds.map((kind) => [classOf(kind), kind]));
  const clipped = names.delete("clipped");
  const keys = [...names].sort();
  if (clipped) keys.push(["clipped", "clipped"]);
  const samples = keys.flatMap(([name, kind]) => [make("span", { className: name, textContent: kind }), " "]);
  return [
    ...samples,
    clipped ? "A clipped token matches, but the reference does not have it often enough. " : "",
    kinds.some((kind) => ORDER.test(kind)) ? "A token has the colour of the longest match that it is part of. " : "",
    "Point at a token, or move to it with the Tab key, to see its match on the other side.",
  ];
}
