// The page is complete without the script. What the script is given: see `Script` in layout.tsx.
export const find = (what, place = document) => place.querySelector(what);
export const all = (what, place = document) => [...place.querySelectorAll(what)];
export const readSettings = (place) => JSON.parse(find("[data-live]", place).dataset.live);
export const settings = readSettings(document);
export const words = new Map(settings.words);
const { lang: tag, dir } = document.documentElement;
// Digits and months are those of the page.
export const lang = new Intl.Locale(tag, { numberingSystem: "latn", calendar: "gregory" });
export const rtl = dir === "rtl";

export const element = (name, className, ...content) => {
  const one = Object.assign(document.createElement(name), { className });
  one.append(...content);
  return one;
};
// Fills in the `$NAMES` of a text.
export const fill = (text, values) =>
  text.replace(/\$(\w+)/g, (whole, name) => values[name] ?? whole);

export const isPlainKey = (event) => !event.altKey && !event.ctrlKey && !event.metaKey;

export const stateOf = (row) => find("use", row).href.baseVal.slice(3);
export const isProblem = (row) => !/up|paused|unknown/.test(stateOf(row));

// What changes while the page is open: the check that the page was built from, the newest known one, the minutes
// without a check after which the page says so, and what is announced, of this round and until the next change.
export const now = {
  checked: settings.checked,
  last: settings.checked,
  limit: 26 * 60,
  changes: "",
  news: "",
};

const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
export const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
export const zoned = { timeZoneName: "short" };
const formatters = new Map();
export const formatter = (...parts) => {
  const options = Object.assign({}, ...parts);
  const key = JSON.stringify(options);
  if (!formatters.has(key)) formatters.set(key, new Intl.DateTimeFormat(lang, options));
  return formatters.get(key);
};
// Chinese has the zone first, where it would not hold for the second time of a line.
export const format = (at, ...parts) =>
  formatter(...parts).format(new Date(at)).replace(/(UTC|GMT\S*) ([\d:]+)$/, "$2 $1");
const yearOf = (at) => new Date(at).getFullYear();
export const dated = (at) => ({
  month: "short",
  day: "numeric",
  year: yearOf(at) === yearOf(Date.now()) ? undefined : "numeric",
});
export const age = (at) => Math.floor((Date.now() - Date.parse(at)) / 6e4);

// Minutes as `2 days ago`, in days from two of them on.
const agoOf = (past) => {
  const [length, unit] = past < 60 ? [1, "minute"] : past < 2880 ? [60, "hour"] : [1440, "day"];
  return ago.format(-Math.floor(past / length), unit);
};

// Keeps a choice in the address, and the period until the next visit.
export const remember = (name, value) => {
  const query = new URLSearchParams(location.search);
  if (value) query.set(name, value);
  else query.delete(name);
  const text = String(query);
  try {
    history.replaceState(null, "", location.pathname + (text && `?${text}`) + location.hash);
    if (name === "window") localStorage.window = value;
  } catch {
    // It is not kept here.
  }
};

// Selected text stays as it is.
export const isSelected = (place) => {
  const selection = getSelection();
  return !selection.isCollapsed && selection.containsNode(place, true);
};

// Times in the zone of the visitor, which the last one of a line names.
export const showTimes = () => {
  const times = all("time");
  const lineOf = (time) => time.closest("p,dd,li,th,h3") ?? time;
  const lines = new Map(times.map((time) => [lineOf(time), time]));
  let day = new Date().toDateString();
  for (const time of times) {
    const at = time.dateTime;
    const [past, hasClock] = [age(at), /T/.test(at)];
    const own = new Date(hasClock ? at : `${at}T00:00`).toDateString();
    if (hasClock) {
      time.title ||= time.textContent;
      const isNow = past >= 0 && past < 60 && time.closest(".times");
      const date = time.className === "clock" && own === day ? {} : dated(at);
      const label = lines.get(lineOf(time)) === time ? zoned : {};
      const text = isNow
        ? ago.format(-past, "minute")
        : time.className === "date"
        ? format(at, date)
        : format(at, date, clock, label);
      if (!isSelected(time)) time.textContent = text;
    }
    day = own;
  }
  const { last, limit } = now;
  now.news = now.changes || now.news;
  const isLate = age(last) > limit;
  const [stopped, rest] = isLate
    ? [
      fill(settings.late[0], { AGO: agoOf(age(last)) }),
      fill(settings.late[1], { TIME: format(last, dated(last), clock, zoned) }),
    ]
    : ["", now.news];
  const note = find(".live");
  // Changes are seen on the page, so only screen readers need this line.
  note.classList.toggle("away", !isLate);
  if (note.textContent === stopped + rest) return;
  note.replaceChildren(...isLate ? [element("b", "", stopped), rest] : [rest]);
};
