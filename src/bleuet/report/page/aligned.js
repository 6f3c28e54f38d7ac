// Words of a reference and of hypotheses beneath each other, as an edit distance aligns them.

/**
 * Return pairs of places of words, of a reference and of a hypothesis, null for none: the fewest
 * insertions, deletions and substitutions, and of equally few those with the most equal words.
 */
function alignedWords(reference, hypothesis) {
  const width = hypothesis.length + 1;
  const cost = new Float64Array((reference.length + 1) * width);
  // Equal words decide between equally many edits.
  const edit = 2 * MOST_STEPS;
  const steps = (i, j) => [
    i && j ? cost[(i - 1) * width + j - 1] + (reference[i - 1] === hypothesis[j - 1] ? -1 : edit) : Infinity,
    i ? cost[(i - 1) * width + j] + edit : Infinity,
    j ? cost[i * width + j - 1] + edit : Infinity,
  ];
  for (let i = 0; i <= reference.length; i++) {
    for (let j = 0; j <= hypothesis.length; j++) {
      if (i || j) cost[i * width + j] = Math.min(...steps(i, j));
    }
  }
  const pairs = [];
  for (let i = reference.length, j = hypothesis.length; i || j;) {
    const [both, deleted] = steps(i, j).map((one) => one === cost[i * width + j]);
    if (both) pairs.push([--i, --j]);
    else if (deleted) pairs.push([--i, null]);
    else pairs.push([null, --j]);
  }
  return pairs.reverse();
}

/**
 * Return the columns of an alignment: the word of the reference, null for none, and of each
 * hypothesis, null for none. Words that are inserted before the same word share columns.
 */
function alignedColumns(reference, hypotheses) {
  const before = Array.from({length: reference.length + 1}, () => hypotheses.map(() => []));
  const under = reference.map(() => hypotheses.map(() => null));
  hypotheses.forEach((words, system) => {
    let next = 0;
    for (const [i, j] of alignedWords(reference, words)) {
      if (i === null) before[next][system].push(words[j]);
      else {
        under[i][system] = j === null ? null : words[j];
        next = i + 1;
      }
    }
  });
  return before.flatMap((inserted, i) => {
    const count = Math.max(...inserted.map((words) => words.length));
    const columns = Array.from({length: count}, (_, at) => [null, ...inserted.map((words) => words[at] ?? null)]);
    return i < reference.length ? [...columns, [reference[i], ...under[i]]] : columns;
  });
}

/** Return the chosen systems word by word beneath the first reference, as an element. */
function alignment(data, state, segment) {
  const lower = (word) => data.lowercase ? word.toLowerCase() : word;
  const systems = [...new Set([state.left, state.right])];
  const [reference, ...hypotheses] = [segment.references[0], ...systems.map((system) => segment.hypotheses[system])]
    .map((text) => readText(text).words.map(lower));
  if (hypotheses.some(({length}) => length * reference.length > MOST_STEPS)) {
    return make("p", {className: "quiet", textContent: "These texts are too long to be aligned word by word."});
  }
  const names = make("div", {className: "words names"}, ...["reference", ...systems.map((system) => data.systems[system])]
    .map((name) => make("span", {}, nameOf(name))));
  const columns = alignedColumns(reference, hypotheses).map(([word, ...others]) => make("div", {className: "words"},
    make("span", {textContent: word ?? ""}),
    ...others.map((other) => alignedWord(word, other))));
  return make("div", {className: "alignment", dir: data.directions.references}, names, ...columns);
}

/** Return a word of a hypothesis, marked as equal, inserted, deleted or substituted. */
function alignedWord(word, other) {
  if (other === null) return make("span", word === null ? {} : {className: "deleted", textContent: "–", title: "missing"});
  const [kind, title] = word === null ? ["inserted", "added"] : word === other ? ["equal", "the same"] : ["substituted", "another word"];
  return make("span", {className: kind, textContent: other, title});
}
