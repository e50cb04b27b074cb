import { assert, assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, openWindow } from "../helpers/browser.ts";
import { filesOf, servePage } from "../helpers/page_files.ts";
import { worldView } from "../helpers/page_worlds.ts";

endBrowserAfterAll();

browserTest("on paper there are the words, and nothing to click through", async () => {
  const view = await worldView("partial outage");
  await using server = servePage(filesOf(view));
  await using window = await openWindow({ theme: "dark" });
  await window.goto(server.url);
  await window.emulateMedia({ media: "print" });
  const isShown = (what: string) =>
    window.evaluate<boolean>(
      `[...document.querySelectorAll(${
        JSON.stringify(what)
      })].some((one) => one.checkVisibility())`,
    );
  assertEquals([await isShown("nav"), await isShown(".windows")], [false, false]);
  const text = await window.evaluate<string>("document.body.innerText");
  for (const { site } of view.report.sites) assert(text.includes(site.name), site.name);
  assert((await window.pdf({ format: "A4" })).length > 5000);
});
