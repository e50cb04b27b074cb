import { all, element, fill, find, isProblem, lang, remember, settings } from "./page.js";
import { fillCount, number } from "./texts.js";

let only = "";
// The filter whose matches were shown last.
let shown;
// Groups that the filter has opened, by their ids, with what they were before.
const before = new Map();

const fold = (text) => text.trim().toLocaleLowerCase(lang);

// Shows the services that the filter leaves, and opens their groups; without a filter they are as before.
export const showMatches = () => {
  const field = find(".find");
  if (!field) return;
  const rows = all("#services .site");
  const problems = rows.filter(isProblem).length;
  if (!problems) only = "";
  const text = field.value.trim();
  const isUsed = text || only;
  for (const row of rows) {
    const heading = find("h3", row.closest(".group") ?? field)?.textContent ?? "";
    const own = fold(`${find("[dir]", row).textContent} ${row.dataset.find ?? ""} ${heading}`);
    const isFound = fold(text).split(/\s+/).every((word) => own.includes(word));
    row.hidden = !isFound || only && !isProblem(row);
  }
  const isChanged = shown !== (shown = `${only} ${text}`);
  for (const group of all("#services details")) {
    const wasHidden = group.hidden;
    group.hidden = !find(".site:not([hidden])", group);
    if (isUsed && !before.has(group.id)) before.set(group.id, group.open);
    // What a visitor has closed stays so until the filter changes.
    if (isUsed ? isChanged || wasHidden : before.has(group.id)) {
      group.open = isUsed ? !group.hidden : before.get(group.id);
    }
  }
  if (!isUsed) before.clear();
  for (const chip of all("[data-only]")) chip.ariaPressed = chip.dataset.only === only;
  const chip = find("[data-only=problems]");
  chip.textContent = fillCount(settings.problems, problems);
  chip.hidden = chip.parentNode.hidden = !problems;
  const found = find(".found");
  const count = rows.filter((row) => !row.hidden).length;
  found.textContent = isUsed &&
    (count
      ? fillCount(settings.found, count, { TOTAL: number(rows.length) })
      : fill(settings.notFound, { NAME: text }));
  if (!count) found.append(" ", element("button", "", settings.clear));
};

// Filters by a field or button that was used.
export const filter = (target) => {
  const field = find(".find");
  if (!field) return;
  if (target.matches(".found button")) {
    field.value = "";
    field.focus();
  }
  only = target.dataset.only ?? only;
  remember("q", field.value);
  showMatches();
};
