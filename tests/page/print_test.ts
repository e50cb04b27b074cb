import { assert, assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, openTab } from "../helpers/browser.ts";
import { filesOf, servePage } from "../helpers/page_files.ts";
import { worldView } from "../helpers/page_worlds.ts";

endBrowserAfterAll();

browserTest("on paper there are the words, and nothing to click through", async () => {
  const view = await worldView("partial outage");
  await using server = servePage(filesOf(view));
  await using tab = await openTab({ theme: "dark" });
  await tab.goto(server.url);
  await tab.emulateMedia({ media: "print" });
  const isShown = (what: string) =>
    tab.evaluate<boolean>(
      `[...document.querySelectorAll(${
        JSON.stringify(what)
      })].some((one) => one.checkVisibility())`,
    );
  assertEquals([await isShown("nav"), await isShown(".windows")], [false, false]);
  const text = await tab.evaluate<string>("document.body.innerText");
  for (const { site } of view.report.sites) assert(text.includes(site.name), site.name);
  assert((await tab.pdf({ format: "A4" })).length > 5000);
});
