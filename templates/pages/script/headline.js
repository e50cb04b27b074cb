import { all, element, fill, find, lang, settings, stateOf, words } from "./page.js";
import { fillCount, number, selectForm } from "./texts.js";

const { overall, titles, counts } = settings;
const sentences = settings.line;
const WORST_FIRST = ["down", "degraded", "maintenance", "unknown", "up"];

export const showState = (place, state, word) => {
  for (const { classList } of [place, ...all(".shape", place)]) {
    classList.remove(...words.keys());
    classList.add(state);
  }
  find("use", place).setAttribute("href", `#s-${state}`);
  find(".word", place).textContent = word;
};

// Joins lists of nodes as the language does.
const join = (lists) =>
  new Intl.ListFormat(lang.baseName === "en" ? "en-GB" : lang).formatToParts(Object.keys(lists))
    .flatMap(({ type, value }) => type === "element" ? lists[value] : value);

const insert = (text, nodes) => {
  const [before, after] = text.split(/\$[A-Z]+/);
  return [before, ...nodes, after];
};

// Names the services that are not operational: `Cards and Queue are down, Search is degraded.`
const nameWrong = (rows, texts) => {
  let left = sentences.most;
  const clauses = [];
  for (const state of WORST_FIRST.slice(0, 4)) {
    const own = rows.filter((row) => stateOf(row) === state);
    if (!own[0] || state === "unknown" && clauses[0]) continue;
    const named = own.slice(0, left);
    const names = named.map((row) => [element("b", "", find("[dir]", row).textContent)]);
    left -= names.length;
    const more = own.length - names.length;
    if (more) names.push([fillCount(sentences.more, more)]);
    clauses.push(insert(selectForm(texts[state], own.length), join(names)));
  }
  const text = clauses.flatMap((clause, index) => index ? [sentences.comma, ...clause] : clause);
  return clauses[0] && insert(sentences.sentence, text);
};

const countStates = (rows) => {
  const states = rows.map(stateOf).filter((state) => state !== "paused");
  const up = states.filter((state) => state === "up").length;
  return { up, total: states.length, TOTAL: number(states.length) };
};

const describe = (own, others) => {
  const wrong = nameWrong(own, sentences.own);
  const foreign = nameWrong(others, sentences.others);
  const { up, total, TOTAL } = countStates(own);
  if (!wrong) return foreign ?? [fillCount(sentences.calm, total)];
  const counted = up ? fillCount(sentences.up, up, { TOTAL }) : sentences.none;
  const rest = total > 1 ? sentences.gap + counted : "";
  return [...wrong, rest, ...foreign ? [sentences.gap, ...foreign] : []];
};

// `4 of 6 operational`, or a single word if it holds for all services of a group.
const showHealth = (place, rows) => {
  const { up, total, TOTAL } = countStates(rows);
  const states = rows.map(stateOf);
  const worst = WORST_FIRST.find((state) => states.includes(state)) ?? "paused";
  const isPlain = total === 1 || /up|paused/.test(worst) || worst === "unknown" && !up;
  place.className = `health ${isPlain ? "" : "pill "}${worst}`;
  const parts = isPlain ? { word: words.get(worst) } : {
    wide: fillCount(counts[0], up, { TOTAL }),
    narrow: fill(counts[1], { COUNT: number(up), TOTAL }),
  };
  const shape = isPlain ? find(".shape", rows[states.indexOf(worst)]).cloneNode(true) : "";
  place.replaceChildren(
    shape,
    ...Object.keys(parts).map((name) => element("span", name, parts[name])),
  );
};

// Shows what follows from the states of services: health of groups and of what is folded, headline and title.
export const summarize = () => {
  for (const place of all("[data-group]")) {
    showHealth(place, all(".site", place.closest("details")));
  }
  const place = find("[data-overall]");
  const rows = all(".site");
  if (!place || !rows[0]) return;
  const watched = rows.filter((row) => stateOf(row) !== "paused");
  const external = watched.filter(({ dataset }) => "external" in dataset);
  const inHouse = watched.filter((row) => !external.includes(row));
  const own = inHouse[0] ? inHouse : watched;
  const count = (state) => own.filter((row) => stateOf(row) === state).length;
  const known = own.length - count("unknown");
  const rule = overall.findIndex(([state, , more]) => known && count(state) / known > more);
  const found = rule < 0 ? overall.length - 1 : rule;
  const [state, word] = overall[Math.min(found, place.dataset.least ?? found)];
  showState(place, state, word);
  const text = find(".line:not([data-own])", place);
  text?.replaceChildren(...describe(own, inHouse[0] ? external : []));
  if (!find(".called", place)) {
    document.title = state === "up" ? titles[0] : `${word} – ${titles[1]}`;
  }
};
