import { age, all, find, now, readSettings } from "./page.js";
import { announce } from "./texts.js";

import { showPeriod } from "./periods.js";
import { start } from "./controls.js";
import { filter, showMatches } from "./filter.js";
import { focusQuietly } from "./slider.js";
import { take } from "./states.js";
import { copy, subscribe } from "./subscribe.js";

// The elements of the page by names that a page built anew gives them too. Equal names are numbered by blanks.
const nameElements = () => {
  const named = new Map();
  for (
    const one of all("a,button,details,input,summary,[id],.strip,[data-slug]", find("main"))
  ) {
    const { id, dataset: { incident, slug } } = one.closest("[id],[data-incident],[data-slug]");
    let name = one.id || one.getAttribute("href") ||
      [id, incident, slug, one.localName, one.dataset.only].join(" ");
    while (named.has(name)) name += " ";
    named.set(name, one);
  }
  return named;
};

const titlesOf = () => all(".active .title").map(({ textContent }) => textContent);

// Replaces the page by one that was built anew: what was focused, open and in view stays so.
const replace = (fresh) => {
  const before = nameElements();
  const focused = [...before].find(([, one]) => one === document.activeElement)?.[0];
  const boxOf = (one) => one?.getBoundingClientRect() ?? {};
  const seen = [...before].map(([name, one]) => [name, boxOf(one)])
    .filter(([, { top, height }]) => height && top >= 0);
  const titles = titlesOf();
  now.last = now.checked = readSettings(fresh).checked;
  document.title = fresh.title;
  for (const part of ["main", "footer.bottom"]) find(part).replaceWith(find(part, fresh));
  for (const icon of all("link[rel=icon]")) icon.href = icon.href.replace(/\?.*|$/, `?${age(0)}`);
  const after = nameElements();
  for (const [name, { localName, open }] of before) {
    if (localName === "details" && after.has(name)) after.get(name).open = open;
  }
  const appeared = titlesOf().filter((title) => !titles.includes(title));
  appeared.forEach(announce);
  start();
  statusPage.readCharts?.();
  const [kept, { top } = {}] = seen.find(([name]) => boxOf(after.get(name)).height) ?? [];
  if (kept && scrollY) scrollBy({ top: boxOf(after.get(kept)).top - top, behavior: "instant" });
  if (after.has(focused)) focusQuietly(after.get(focused));
};

const showAgain = () => {
  showPeriod();
  showMatches();
};

Object.assign(statusPage, { take, replace, showPeriod, showAgain, filter, copy, subscribe });
