import { find, now, settings, showTimes } from "./page.js";
import { start, useMore } from "./controls.js";

const { summary, build } = settings;
let [asked, built] = [0];

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
  await useMore(() => statusPage.take(sites, newest));
  showTimes();
};

// A page that was built anew replaces this one. It waits while somebody reads what it would replace.
const takePage = async () => {
  const answer = await ask(build);
  const text = await answer.text();
  if (!answer.ok) return;
  built ??= text;
  if (text === built || isRead()) return;
  const page = await (await ask(location.href)).text();
  await useMore(() => {
    if (isRead()) return;
    built = text;
    statusPage.replace(new DOMParser().parseFromString(page, "text/html"));
  });
};

const refresh = async () => {
  showTimes();
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
