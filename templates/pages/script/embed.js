// The strip for a frame. Without this script it has the colors of the visitor's system, and is as old as its page.
const { dataset } = document.documentElement;
const theme = new URLSearchParams(location.search).get("theme");
if (theme === "auto") delete dataset.theme;
else if (/^(light|dark)$/.test(theme)) dataset.theme = theme;

const findStrip = (page = document) => page.querySelector("a");

// A strip that is too old says that nothing is known.
const checkAge = () => {
  const strip = findStrip();
  const { until, late } = strip.dataset;
  if (!(Date.parse(until) < Date.now())) return;
  strip.className = "unknown";
  strip.querySelector("span").textContent = late;
};

const refresh = async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { cache: "no-cache" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [strip, fresh] = [findStrip(), findStrip(page)];
    if (answer.ok && fresh && !fresh.isEqualNode(strip)) strip.replaceWith(fresh);
  } catch {
    // The strip stays as it is.
  }
  checkAge();
};

addEventListener("DOMContentLoaded", checkAge);
addEventListener("visibilitychange", refresh);
setInterval(refresh, 3e5);
