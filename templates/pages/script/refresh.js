import { choosePeriod } from "./strips.js";
import { element, find, now, settings, tell } from "./page.js";
import { showMatches, startFilter } from "./filter.js";

const { summary, build } = settings;
let [asked, built] = [0];

// Shows the controls, on a page that replaces another one too.
export const start = () => {
  choosePeriod();
  startFilter();
  globalThis.statusPage?.readCharts?.();
  tell();
};

// What shows news is loaded once there are any.
const loadNews = () =>
  new Promise((resolve, reject) => {
    if (statusPage.take) return resolve();
    const events = { onload: resolve, onerror: reject };
    document.head.append(Object.assign(element("script"), { src: settings.news }, events));
  });

const ask = (address) => fetch(address, { cache: "no-cache" });

const isRead = () => !getSelection().isCollapsed || find("dialog[open],.tip");

const takeSummary = async () => {
  const sites = await (await ask(summary)).json();
  const newest = sites.map((site) => site.lastUpdated).filter(Date.parse).sort().at(-1);
  // It lay in a cache.
  if (!newest || newest < now.last) return;
  // What is part of the page is as old as the page, and says nothing of later checks.
  if (newest > now.checked || /^http/.test(summary)) now.limit = settings.most;
  if (newest === now.last) return;
  await loadNews();
  statusPage.take(sites, newest);
  showMatches();
  tell();
};

// A page that was built anew replaces this one. It waits while somebody reads what it would replace.
const takePage = async () => {
  const answer = await ask(build);
  const text = await answer.text();
  if (!answer.ok) return;
  built ??= text;
  if (text === built || isRead()) return;
  await loadNews();
  const page = await (await ask(location.href)).text();
  if (isRead()) return;
  built = text;
  statusPage.replace(new DOMParser().parseFromString(page, "text/html"));
};

const refresh = async () => {
  tell();
  if (!summary || location.protocol === "file:" || document.hidden) return;
  if (Date.now() - asked < 55e3) return;
  asked = Date.now();
  now.changes = "";
  try {
    await takeSummary();
    await takePage();
  } catch {
    // The page stays as it is.
  }
};

start();
setInterval(refresh, 6e4);
addEventListener("visibilitychange", refresh);
refresh();
