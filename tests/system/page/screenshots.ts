/** Takes pictures of the pages of all worlds, or of the named ones, into the given folder, for review. */
import { join } from "node:path";
import { endBrowser, openTab } from "../../helpers/browser.ts";
import { filesOf, servePage, someOfEachKind } from "../../helpers/page_files.ts";
import { WORLD_NAMES, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

/** Maximum height of a picture of a whole page, in pixels. */
const HIGHEST = 6000;

const [folder, ...wanted] = Deno.args;
if (folder === undefined) throw new Error("Cannot take pictures: say into which folder");
await Deno.mkdir(folder, { recursive: true });
for (const name of WORLD_NAMES.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const files = filesOf(await worldView(name));
  await using server = servePage(files);
  await using tab = await openTab();
  await tab.clock.setFixedTime(REPORT_TIME.add({ minutes: 3 }).epochMilliseconds);
  for (const path of someOfEachKind(files, 1)) {
    await tab.goto(`${server.url}/${path}`);
    for (const [width, colorScheme] of [[1440, "light"], [768, "dark"], [360, "light"]] as const) {
      await tab.setViewportSize({ width, height: 900 });
      await tab.emulateMedia({ colorScheme });
      const kind = path.replaceAll("/", "-").replace(/-?index\.html|\.html/, "") || "overview";
      const file = `${name} ${kind.slice(0, 30)} ${width} ${colorScheme}.png`.replaceAll(" ", "_");
      const height = await tab.evaluate<number>("document.documentElement.scrollHeight");
      await tab.screenshot({ path: join(folder, file), fullPage: height < HIGHEST });
    }
  }
}
await endBrowser();
