import { assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, openTab } from "../../helpers/browser.ts";
import { settingsWith } from "../../helpers/own_settings.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { pageView } from "../../helpers/page_views.ts";
import { httpServer } from "../../helpers/servers.ts";

endBrowserAfterAll();

/** A host that answers with a script, a style or data, by the path, and records the paths. */
function otherHost(asked: string[] = []) {
  return httpServer((request) => {
    const { pathname } = new URL(request.url);
    const kind = pathname.split(".").at(-1);
    asked.push(pathname);
    const headers = { "access-control-allow-origin": "*" };
    if (kind === "css") {
      return new Response("h1{color:rgb(1,2,3)}", {
        headers: { ...headers, "content-type": "text/css" },
      });
    }
    if (kind === "js") {
      // It may come before the body does.
      return new Response("document.documentElement.dataset.loaded = 'yes'", {
        headers: { ...headers, "content-type": "text/javascript" },
      });
    }
    return new Response("{}", { headers: { ...headers, "content-type": "application/json" } });
  });
}

browserTest(
  "configured additions to the page work in a browser, and other resources are not loaded",
  async () => {
    const asked: string[] = [];
    await using named = otherHost();
    await using other = otherHost(asked);
    const settings = await settingsWith({
      "status-website": {
        css: "main { color: rgb(4, 5, 6) }",
        js: 'document.documentElement.dataset.own = "</script>"',
        themeUrl: `${named.url}/theme.css`,
        scripts: [{ src: `${named.url}/own.js`, async: true }],
        customBodyHtml:
          '<p id="own" style="color: rgb(7, 8, 9)" onclick="this.title = \'clicked\'">Own</p>',
        customFootHtml: `<script>
  document.body.dataset.foot = "yes";
  for (const host of ["${named.url}", "http:/" + "/${new URL(other.url).host}"]) {
    fetch(host + "/x.json").then(() => document.body.dataset.asked = (document.body.dataset.asked ?? "") + host, () => {});
  }
</script>`,
      },
    });
    await using server = servePage(filesOf(pageView([], { settings })));
    await using page = await openTab();
    await page.goto(`${server.url}/`);
    await page.locator("#own").click();
    // The page's policy forbids `eval`, which a repeated wait for an expression needs.
    await page.locator("[data-loaded] body[data-asked]").waitFor();
    await page.waitForLoadState("networkidle");
    const seen = await page.evaluate(`({
    ...document.body.dataset,
    ...document.documentElement.dataset,
    clicked: document.querySelector("#own").title,
    colors: ["main", "#own", "h1"].map((one) => getComputedStyle(document.querySelector(one)).color),
  })`);
    assertEquals(seen, {
      ...{ foot: "yes", asked: named.url, loaded: "yes", own: "</script>", clicked: "clicked" },
      colors: ["rgb(4, 5, 6)", "rgb(7, 8, 9)", "rgb(1, 2, 3)"],
    });
    assertEquals(asked, []);
  },
);

browserTest(
  "a page with the strict policy loads nothing from elsewhere, whatever is inserted",
  async () => {
    const asked: string[] = [];
    await using other = otherHost(asked);
    const settings = await settingsWith();
    const own = `<img src="${other.url}/a.png"><link rel="stylesheet" href="${other.url}/a.css">` +
      `<script>document.body.dataset.ran = "yes"</script><script src="${other.url}/a.js"></script>` +
      `<p id="own" style="color: red" onclick="document.body.dataset.ran = 'yes'">Own</p>`;
    const code = { ...settings.code, body: own };
    await using server = servePage(filesOf(pageView([], { settings: { ...settings, code } })));
    await using page = await openTab();
    await page.goto(`${server.url}/`);
    await page.locator("#own").click();
    await page.waitForLoadState("networkidle");
    assertEquals(
      await page.evaluate(
        "document.body.dataset.ran ?? document.documentElement.dataset.loaded ?? ''",
      ),
      "",
    );
    assertEquals(asked, []);
  },
);
