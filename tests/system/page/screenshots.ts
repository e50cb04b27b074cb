/**
 * Takes pictures of the pages of all worlds, or of the named ones, into the given folder, for review: at three widths,
 * light and dark. Prints what can be measured on each: rules of accessibility that it breaks, pixels that it can be
 * scrolled sideways, and how far its layout shifts.
 */
import { join } from "node:path";
import axe from "axe-core";
import { endBrowser, openTab } from "../../helpers/browser.ts";
import { filesOf, servePage, someOfEachKind } from "../../helpers/page_files.ts";
import { WORLD_NAMES, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

/** Maximum height of a picture of a whole page, in pixels. */
const HIGHEST = 6000;

const OBSERVE_SHIFTS = `globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.shifted += value;
}).observe({ type: "layout-shift", buffered: true });`;

const MEASURE = `(async () => {
  const { violations } = await axe.run(document, {
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  });
  const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
  const faults = violations.map(({ id, nodes }) => \`\${id}: \${nodes[0].html.slice(0, 120)}\`);
  if (scrollWidth > clientWidth) faults.push(\`scrolls sideways by \${scrollWidth - clientWidth} px\`);
  if (globalThis.shifted > 0.02) faults.push(\`shifts by \${globalThis.shifted}\`);
  return { faults, height: scrollHeight };
})()`;

const [folder, ...wanted] = Deno.args;
if (folder === undefined) throw new Error("Cannot take pictures: say into which folder");
const unknown = wanted.filter((one) => !WORLD_NAMES.some((name) => name === one));
if (unknown.length > 0) throw new Error(`Cannot find ${unknown}: there are ${WORLD_NAMES}`);
await Deno.mkdir(folder, { recursive: true });
for (const name of WORLD_NAMES.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const files = filesOf(await worldView(name));
  await using server = servePage(files);
  await using tab = await openTab();
  await tab.addInitScript(OBSERVE_SHIFTS);
  await tab.clock.setFixedTime(REPORT_TIME.add({ minutes: 3 }).epochMilliseconds);
  for (const path of someOfEachKind(files, 1)) {
    const kind = path.replaceAll("/", "-").replace(/-?index\.html|\.html/, "") || "overview";
    for (const width of [1280, 768, 360]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.setViewportSize({ width, height: 900 });
        await tab.emulateMedia({ colorScheme });
        await tab.goto(`${server.url}/${path}`);
        await tab.evaluate(axe.source);
        const { faults, height } = await tab.evaluate<{ faults: string[]; height: number }>(
          MEASURE,
        );
        const file = `${name} ${kind.slice(0, 30)} ${width} ${colorScheme}.png`.replaceAll(
          " ",
          "_",
        );
        await tab.screenshot({ path: join(folder, file), fullPage: height < HIGHEST });
        for (const fault of faults) say(`${file}: ${fault}`);
      }
    }
  }
  say(`${name}: done`);
}
await endBrowser();

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
