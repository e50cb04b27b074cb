import { age, all, find, now, readSettings, settings, tell } from "./page.js";
import { showMatches, startFilter } from "./filter.js";
import { focusQuietly } from "./slider.js";
import { readCharts } from "./charts.js";
import { choosePeriod } from "./strips.js";
import { take } from "./states.js";

const { summary, build } = settings;
let [asked, built] = [0];

// The elements of the page by names that a page built anew gives them too. Equal names are numbered by blanks.
const nameElements = () => {
  const named = new Map();
  for (
    const one of all("a,button,details,input,summary,[id],[data-of],[data-slug]", find("main"))
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

const isRead = () => !getSelection().isCollapsed || find("dialog[open],.tip");

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
  choosePeriod();
  readCharts();
  startFilter();
  const appeared = titlesOf().filter((title) => !titles.includes(title));
  now.changes += appeared.map((title) => `${title}. `).join("");
  tell();
  const [kept, { top } = {}] = seen.find(([name]) => boxOf(after.get(name)).height) ?? [];
  if (kept && scrollY) scrollBy({ top: boxOf(after.get(kept)).top - top, behavior: "instant" });
  if (after.has(focused)) focusQuietly(after.get(focused));
};

// Looks for a page that was built anew. It waits while somebody reads what it would replace.
const renew = async () => {
  const answer = await fetch(build, { cache: "no-cache" });
  if (!answer.ok) return;
  const text = await answer.text();
  built ??= text;
  if (text === built || isRead()) return;
  const page = await (await fetch(location.href, { cache: "no-cache" })).text();
  if (isRead()) return;
  built = text;
  replace(new DOMParser().parseFromString(page, "text/html"));
};

const refresh = async () => {
  tell();
  if (!summary || location.protocol === "file:" || document.hidden) return;
  if (Date.now() - asked < 55e3) return;
  asked = Date.now();
  now.changes = "";
  try {
    take(await (await fetch(summary, { cache: "no-cache" })).json());
    showMatches();
    tell();
    await renew();
  } catch {
    // The page stays as it is.
  }
};

choosePeriod();
readCharts();
startFilter();
setInterval(refresh, 6e4);
addEventListener("visibilitychange", refresh);
refresh();
