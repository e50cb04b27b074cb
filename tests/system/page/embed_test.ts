import { assert, assertEquals } from "@std/assert";
import axe from "axe-core";
import { browserTest, endBrowserAfterAll, faultsOf, openTab } from "../../helpers/browser.ts";
import { eventually } from "../../helpers/eventually.ts";
import { filesOf, servePage, textOf } from "../../helpers/page_files.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";
import { httpServer } from "../../helpers/servers.ts";

endBrowserAfterAll();

const NOW = REPORT_TIME.add({ minutes: 6 });

/** Policy of a site that allows no inline styles and nothing that makes markup of texts. */
const strict = (status: string) =>
  [
    "default-src 'none'",
    ...["script-src", "connect-src", "frame-src"].map((one) => `${one} ${status}`),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/** A status page, and a site of another origin with some HTML in it that a tab has opened. */
async function openSite(
  name: WorldName,
  html: (status: string) => string,
  { isStrict = false, ...options }: Parameters<typeof openTab>[0] & { isStrict?: boolean } = {},
) {
  const files = filesOf(await worldView(name));
  const status = servePage(files);
  const site = httpServer((request) => {
    const { pathname } = new URL(request.url);
    const policy = strict(status.url);
    const body = pathname === "/favicon.ico" ? "" : `<!DOCTYPE html><html lang="en"><head>
<title>Shop</title></head><body><h1>Shop</h1>${html(status.url)}</body></html>`;
    return new Response(body, {
      headers: {
        "content-type": "text/html",
        ...isStrict ? { "content-security-policy": policy } : {},
      },
    });
  });
  const tab = await openTab(options);
  const faults: string[] = [];
  tab.on("console", (message) => faults.push(message.text()));
  tab.on("pageerror", (error) => faults.push(error.message));
  await tab.clock.install({ time: NOW.epochMilliseconds });
  await tab.goto(site.url);
  return {
    ...{ files, tab, faults, status: status.url },
    banner: tab.getByRole("status"),
    async become(other: WorldName) {
      for (const [path, content] of filesOf(await worldView(other))) files.set(path, content);
      const asked = tab.waitForResponse(/embed/);
      await tab.clock.fastForward("05:01");
      await asked;
    },
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await status[Symbol.asyncDispose]();
    },
  };
}

const script = (status: string) => `<script src="${status}/embed.js" async></script>`;
const frame = (status: string, query = "") =>
  `<iframe src="${status}/embed/${query}" title="Status" width="100%" height="64"></iframe>`;

const OUTAGE = "Partial outage Payments and Checkout are down, Search is degraded. " +
  "4 of 7 services are operational. Acme status";

/** Rules that would hide the banner if they applied to it. */
const HIDING = `<style>
  :empty { display: none !important }
  html > * { position: relative !important; transform: scale(0) !important; opacity: 0 !important; visibility: hidden }
</style>`;

Deno.test("the script of the banner is smaller than 1,500 bytes", async () => {
  const { length } = new TextEncoder().encode(
    textOf(filesOf(await worldView("all up")), "embed.js"),
  );
  assert(length < 1500, `${length} B`);
});

browserTest("the banner is shown only while something is down or degraded", async () => {
  await using site = await openSite("partial outage", script, { isStrict: true });
  const { tab, banner } = site;
  const words = async () => (await banner.locator("span").allInnerTexts()).join();
  await eventually(async () => assertEquals(await words(), OUTAGE));
  const link = banner.getByRole("link");
  assertEquals(await link.getAttribute("href"), `${site.status}/`);
  assertEquals(await tab.context().cookies(), []);
  for (
    const [world, text] of [["all up", ""], ["maintenance", ""], [
      "partial outage",
      OUTAGE,
    ]] as const
  ) {
    await site.become(world);
    await eventually(async () => assertEquals(await words(), text));
  }
  // The monitor has stopped.
  await tab.clock.fastForward("26:00:00");
  await eventually(async () => assertEquals(await words(), ""));
  assertEquals(site.faults, []);
});

browserTest("the banner leaves no names in the site", async () => {
  const names: unknown[] = [];
  for (const html of [() => "", script]) {
    await using site = await openSite("partial outage", html);
    await site.tab.waitForLoadState("networkidle");
    names.push(await site.tab.evaluate("Object.getOwnPropertyNames(window).sort()"));
  }
  assertEquals(names[1], names[0]);
});

browserTest(
  "a site has one banner, even if it has the script twice and hides elements",
  async () => {
    await using site = await openSite(
      "partial outage",
      (status) => HIDING + script(status) + script(status),
    );
    const box = site.tab.locator("status-banner > div");
    await box.waitFor();
    const { x, y, width, height } = (await box.boundingBox())!;
    assertEquals([x + width / 2, y + height, height > 40], [720, 884, true]);
    assertEquals(await box.evaluate((one) => one.checkVisibility({ opacityProperty: true })), true);
    await site.banner.getByRole("button").click();
    assertEquals([await site.banner.count(), await box.count()], [1, 0]);
    assertEquals(site.faults, []);
  },
);

browserTest("a dismissed banner stays away until the state changes", async () => {
  await using site = await openSite("partial outage", script);
  const { tab, banner } = site;
  const close = banner.getByRole("button", { name: "Close" });
  await close.focus();
  await tab.keyboard.press("Enter");
  await close.waitFor({ state: "detached" });
  await site.become("partial outage");
  assertEquals(await close.count(), 0);
  const loaded = tab.waitForResponse(/embed\.json/);
  await tab.reload();
  await loaded;
  assertEquals(await close.count(), 0);
  await site.become("degraded");
  await close.click();
  await site.become("partial outage");
  await close.click();
  await site.become("all up");
  await site.become("partial outage");
  await close.waitFor();
  assertEquals(site.faults, []);
});

browserTest(
  "a site that keeps nothing, or can't reach the status page, is not disturbed",
  async () => {
    await using site = await openSite(
      "partial outage",
      (status) =>
        `<iframe sandbox="allow-scripts" srcdoc='${script(status)}' title="Part"></iframe>`,
    );
    const close = site.tab.frameLocator("iframe").getByRole("button", { name: "Close" });
    await close.click();
    await close.waitFor({ state: "detached" });
    assertEquals(site.faults, []);
    await site.tab.context().setOffline(true);
    await site.tab.clock.fastForward("05:01");
    await site.tab.context().setOffline(false);
    assertEquals(
      site.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED/.test(fault)),
      [],
    );
  },
);

browserTest(
  "a banner shows hostile words as words, in the page's language and direction",
  async () => {
    await using site = await openSite("arabic", script);
    const { tab, banner } = site;
    const box = banner.locator("div");
    await box.waitFor();
    assertEquals(
      [await box.getAttribute("lang"), await box.getAttribute("dir")],
      ["ar", "rtl"],
    );
    const title =
      `"><img src=x onerror="document.title='1'"></b></div><script>document.title = "2"</script>`;
    const state = JSON.parse(textOf(site.files, "embed.json"));
    site.files.set("embed.json", JSON.stringify({ ...state, title, line: title, name: title }));
    await tab.clock.fastForward("05:01");
    await eventually(async () =>
      assertEquals(await box.locator("b").evaluate((one) => one.textContent), title)
    );
    assertEquals(await box.locator("*").count(), 4);
    assertEquals(site.faults, []);
  },
);

browserTest(
  "axe finds nothing in a banner and in strips, light and dark, wide and narrow",
  async () => {
    const found = new Map<string, string[]>();
    for (
      const name of ["partial outage", "degraded", "maintenance", "all up", "long texts"] as const
    ) {
      await using site = await openSite(
        name,
        (status) => script(status) + frame(status) + frame(status, "?theme=dark"),
      );
      const { tab } = site;
      await tab.waitForLoadState("networkidle");
      for (const one of tab.frames()) await one.evaluate(axe.source);
      for (const width of [1280, 320]) {
        await tab.setViewportSize({ width, height: 700 });
        for (const scheme of ["light", "dark"] as const) {
          await tab.emulateMedia({ colorScheme: scheme });
          const faults: string[] = await tab.evaluate(
            `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] }).then(({ violations }) =>
            violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
          );
          if (faults.length > 0) found.set(`${name} ${width} ${scheme}`, faults);
        }
        const sideways = await tab.evaluate("document.documentElement.scrollWidth > innerWidth");
        for (const one of tab.frames().slice(1)) {
          const { scrollWidth, scrollHeight } = await one.evaluate<
            { scrollWidth: number; scrollHeight: number }
          >(
            "({ scrollWidth: document.documentElement.scrollWidth - innerWidth, scrollHeight: document.documentElement.scrollHeight - innerHeight })",
          );
          if (scrollWidth > 0 || scrollHeight > 0) found.set(`${name} ${width}`, ["scrolls"]);
        }
        if (sideways) found.set(`${name} ${width}`, ["sideways"]);
      }
    }
    assertEquals(Object.fromEntries(found), {});
  },
);

browserTest(
  "the strip links the page, takes the theme of its address and follows the state",
  async () => {
    await using site = await openSite("all up", (status) => frame(status, "?theme=dark"), {
      isStrict: true,
    });
    const { tab } = site;
    const strip = tab.frameLocator("iframe").getByRole("link");
    const words = async () => (await strip.innerText()).replaceAll(/\s+/g, " ");
    assertEquals(
      await words(),
      "All systems operational 4 services. Last incident 3 days ago. Acme status",
    );
    const inside = tab.frames()[1]!;
    assertEquals(
      await inside.evaluate("getComputedStyle(document.documentElement).colorScheme"),
      "dark",
    );
    await site.become("partial outage");
    await eventually(async () => assertEquals(await words(), OUTAGE));
    await tab.clock.fastForward("26:10:00");
    await eventually(async () => assertEquals(await words(), "No current data Acme status"));
    const opened = tab.context().waitForEvent("page");
    await strip.click();
    assertEquals((await opened).url(), `${site.status}/index.html`);
    assertEquals(site.faults, []);
  },
);

browserTest(
  "without scripts, the strip has the colors of the visitor's system and is loaded again",
  async () => {
    for (const theme of ["light", "dark"] as const) {
      await using site = await openSite("partial outage", (status) => frame(status), {
        scripts: false,
        theme,
      });
      const strip = site.tab.frameLocator("iframe").getByRole("link");
      assertEquals((await strip.innerText()).replaceAll(/\s+/g, " "), OUTAGE);
      const ground = { light: "rgb(253, 236, 236)", dark: "rgb(49, 23, 25)" }[theme];
      assertEquals(
        await strip.evaluate((one) =>
          one.ownerDocument.defaultView!.getComputedStyle(one).backgroundColor
        ),
        ground,
      );
    }
    const html = textOf(filesOf(await worldView("all up")), "embed/index.html");
    assert(html.includes('<noscript><meta http-equiv="refresh" content="300"></noscript>'));
  },
);

browserTest("About has code to copy, with the strip that it shows", async () => {
  const view = await worldView("partial outage");
  const address = "https://status.acme.example";
  await using server = servePage(
    filesOf({ ...view, settings: { ...view.settings, address, name: '"Acme" <b>' } }),
  );
  await using tab = await openTab();
  const faults = faultsOf(tab, server.url);
  await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await tab.clock.install({ time: NOW.epochMilliseconds });
  await tab.goto(`${server.url}/about/`);
  const copied: unknown[] = [];
  for (const button of await tab.getByRole("button", { name: "Copy" }).all()) {
    await button.click();
    await tab.getByRole("button", { name: "Copied" }).waitFor();
    copied.push(await tab.evaluate("navigator.clipboard.readText()"));
    await tab.clock.fastForward("00:03");
    await tab.getByRole("button", { name: "Copied" }).waitFor({ state: "detached" });
  }
  assertEquals(copied, [
    `<iframe src="${address}/embed/" title="&quot;Acme&quot; &lt;b&gt; status" width="100%" height="64" frameborder="0"></iframe>`,
    `<script src="${address}/embed.js" async></script>`,
  ]);
  const strip = tab.frameLocator("iframe").getByRole("link");
  assert((await strip.innerText()).includes("Partial outage"));
  assertEquals(faults, []);
});
