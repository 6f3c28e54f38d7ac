// Words of texts: where they are, which n-grams match a reference, and which words differ.

/** Return the words of a text and where they begin and end, from the form of `with_spans`. */
function readText(packed) {
  const [text, places, changed] = typeof packed === "string" ? [packed, []] : packed;
  if (changed) {
    const spans = places;
    const words = [];
    for (let i = 0; 2 * i < spans.length; i++) {
      words.push(changed[i] ?? text.slice(spans[2 * i], spans[2 * i + 1]));
    }
    return {text, spans, words};
  }
  const spans = [];
  const words = [];
  let begin = 0;
  for (const end of [...places, text.length]) {
    while (begin < end) {
      const space = text.indexOf(" ", begin);
      const stop = space < 0 || space > end ? end : space;
      if (stop > begin) {
        spans.push(begin, stop);
        words.push(text.slice(begin, stop));
      }
      begin = stop === space ? stop + 1 : stop;
    }
  }
  return {text, spans, words};
}

/** Return the text alone. */
function plainText(packed) {
  return typeof packed === "string" ? packed : packed[0];
}

/** Return the places where each n-gram of some words begins. */
function ngramPlaces(words, n) {
  const places = new Map();
  for (let i = 0; i + n <= words.length; i++) {
    const ngram = words.slice(i, i + n).join(" ");
    const found = places.get(ngram);
    if (found) found.push(i);
    else places.set(ngram, [i]);
  }
  return places;
}

/**
 * Match the n-grams of a hypothesis with its references, each at most as often as the reference
 * that has it most (Papineni et al. 2002). Of equal n-grams those inside a longer match come first.
 *
 * Returns for each word the length of its longest match, and whether it continues the match of the
 * word before; and for each length the number of matching n-grams and of all n-grams, as in BLEU.
 */
function matchNgrams(words, references, longest) {
  const orders = new Array(words.length).fill(0);
  const joined = new Array(words.length).fill(false);
  const matched = [];
  const totals = [];
  let longer = new Set();
  for (let n = longest; n > 0; n--) {
    const available = new Map();
    for (const reference of references) {
      for (const [ngram, places] of ngramPlaces(reference, n)) {
        available.set(ngram, Math.max(available.get(ngram) ?? 0, places.length));
      }
    }
    const begins = new Set();
    for (const [ngram, places] of ngramPlaces(words, n)) {
      const inside = places.filter((i) => longer.has(i) || longer.has(i - 1));
      const others = places.filter((i) => !longer.has(i) && !longer.has(i - 1));
      const clipped = Math.min(places.length, available.get(ngram) ?? 0);
      for (const i of [...inside, ...others].slice(0, clipped)) begins.add(i);
    }
    for (const i of begins) {
      for (let j = i; j < i + n; j++) {
        orders[j] = Math.max(orders[j], n);
        if (j > i) joined[j] = true;
      }
    }
    matched[n - 1] = begins.size;
    totals[n - 1] = Math.max(words.length - n + 1, 0);
    longer = begins;
  }
  return {orders, joined, matched, totals};
}

// Texts with a larger product of lengths are too long for a comparison word by word.
const MOST_STEPS = 1000000;

/** Return for each word whether other words lack it, in their order. */
function differing(words, others) {
  const found = new Array(words.length).fill(true);
  if (words.length * others.length > MOST_STEPS) {
    const known = new Set(others);
    return words.map((word) => !known.has(word));
  }
  // The longest common subsequence, computed from the end and read from the beginning.
  const width = others.length + 1;
  const common = new Uint32Array((words.length + 1) * width);
  for (let i = words.length - 1; i >= 0; i--) {
    for (let j = others.length - 1; j >= 0; j--) {
      common[i * width + j] = words[i] === others[j]
        ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < words.length && j < others.length;) {
    if (words[i] === others[j]) {
      found[i] = false;
      i++;
      j++;
    } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) i++;
    else j++;
  }
  return found;
}

/**
 * Put a text into an element with its words marked: by the length of their match, the words of one
 * match together, by the errors in them, and where they differ from another text.
 */
function writeMarked(element, {text, spans}, {orders = [], joined = [], differs = [], errors = []}) {
  const part = withBreaks(text, IN_ADDRESSES);
  let at = 0;
  let match = null;
  let marked;
  for (let i = 0; 2 * i < spans.length; i++) {
    const begin = spans[2 * i];
    const end = spans[2 * i + 1];
    const error = errors.find(([from, to]) => from < end && begin < to);
    const goesOn = match && (joined[i] && orders[i] === orders[i - 1] || error && error === marked);
    (goesOn ? match : element).append(...part(at, begin));
    if (!goesOn) match = error ? errorOf(error) : orders[i] ? make("span", {className: `m${orders[i]}`}) : null;
    marked = error;
    const word = part(begin, end);
    (match ?? element).append(...differs[i] ? [make("span", {className: "differs"}, ...word)] : word);
    if (match && !goesOn) element.append(match);
    at = end;
  }
  element.append(...part(at, text.length));
}

/** Return an element for the words of an error. */
function errorOf([, , severity]) {
  return make("span", {className: `error ${severity}`, title: `${severity} error`});
}

/** Return a name, isolated from the text around it, with places where a long one may break. */
function nameOf(text) {
  return make("bdi", {}, ...withBreaks(text, /[._/:=](?=[\p{L}\d])/gu)(0, text.length));
}

/** Return a function that returns a part of a text, with elements where a line may break. */
function withBreaks(text, after) {
  const places = [...text.matchAll(after)].map(({index}) => index + 1);
  return (begin, end) => {
    const cuts = places.filter((place) => begin <= place && place < end);
    const parts = [begin, ...cuts].map((from, i) => text.slice(from, cuts[i] ?? end));
    return parts.flatMap((part, i) => i ? [document.createElement("wbr"), part] : [part]);
  };
}

// Browsers do not break addresses after these.
const IN_ADDRESSES = /[/?=_](?=[\p{L}\d])/gu;
