import charts from "./script/charts.js" with { type: "text" };
import controls from "./script/controls.js" with { type: "text" };
import filter from "./script/filter.js" with { type: "text" };
import headline from "./script/headline.js" with { type: "text" };
import news from "./script/news.js" with { type: "text" };
import page from "./script/page.js" with { type: "text" };
import periods from "./script/periods.js" with { type: "text" };
import refresh from "./script/refresh.js" with { type: "text" };
import slider from "./script/slider.js" with { type: "text" };
import states from "./script/states.js" with { type: "text" };
import strips from "./script/strips.js" with { type: "text" };

/** Modules in the order of their imports: those of all pages, those of pages with charts, those that are loaded when needed. */
const MAIN = [page, slider, strips, controls, refresh];
const CHARTS = [charts];
const MORE = [periods, filter, headline, states, news];

/** Strings, and last commas and blanks around signs, which scripts don't need: `+` and `-` never follow themselves in them. */
const TEXT_OR_BLANKS = /("[^"]*"|`[^`]*`)|[,;]?\s*([}\])])\s*|\s*([^\w\s"`$])\s*/g;

/** Imports, marks of exports and comments, which modules don't need once they are joined. */
const MODULE_WORDS = /^import [^;]*;\n|^export |^ *\/\/.*\n/gm;

/** Joins modules in one block. They share names with other scripts by the object `statusPage`. */
function join(modules: readonly string[], { head = "", end = "" }): string {
  const code = modules.map((one) => one.replaceAll(MODULE_WORDS, "")).join("");
  return `{${head}${code}${end}}`.replaceAll(TEXT_OR_BLANKS, "$1$2$3");
}

/** The names that modules import from those of all pages. */
function listImports(modules: readonly string[]): string[] {
  const text = modules.join("");
  const own = new Set([...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name));
  const names = [...text.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!.match(/\w+/g)!
  );
  return [...new Set(names)].filter((name) => !own.has(name));
}

const taken = (modules: readonly string[]) => ({
  head: `const {${listImports(modules)}} = statusPage;`,
});

/** The script of all pages. */
export const SCRIPT = join(MAIN, {
  end: `window.statusPage = {${listImports([...CHARTS, ...MORE])}};`,
});

/** The script of pages with charts. */
export const DETAILS_SCRIPT = join(CHARTS, taken(CHARTS));

/** The script that a page loads once there is something new, or somebody filters or chooses a period. */
export const MORE_SCRIPT = join(MORE, taken(MORE));
