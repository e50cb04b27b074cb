import { assertEquals } from "@std/assert";
import { settingsWith } from "../../helpers/own_settings.ts";
import { pageSettings } from "../../helpers/page_views.ts";

const STRICT = {
  "default-src": "'none'",
  "style-src": "'self'",
  "script-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "font-src": "'self'",
  "manifest-src": "'self'",
  "media-src": "'self'",
  "frame-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
};

/** The parts of a policy. */
function partsOf(policy: string): Record<string, string> {
  return Object.fromEntries(
    policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]),
  );
}

/** The parts that a configuration adds to the strictest policy. */
async function added(keys: Record<string, unknown>): Promise<Record<string, string>> {
  const { policy } = await settingsWith(keys);
  const strict: Readonly<Record<string, string>> = STRICT;
  return Object.fromEntries(
    Object.entries(partsOf(policy)).flatMap(([directive, sources]) => {
      const before = (strict[directive] ?? "").split(" ");
      const more = sources.split(" ").filter((source) => !before.includes(source));
      return more.length === 0 ? [] : [[directive, more.join(" ")]];
    }),
  );
}

const ofWebsite = (keys: Record<string, unknown>) => added({ "status-website": keys });

Deno.test("a page without configuration may load files of its own folder, and nothing else", async () => {
  assertEquals(partsOf((await settingsWith()).policy), STRICT);
});

/** The additions of an origin from which everything may be loaded. */
const anything = (origin: string) =>
  Object.fromEntries(
    ["style", "script", "img", "connect", "font", "manifest", "media", "frame"]
      .map((name) => [`${name}-src`, origin]).concat([["form-action", origin]]),
  );

Deno.test("the policy allows each configured resource from its own origin", async () => {
  const picture = { "img-src": "https://a.example" };
  const ownCode = { "script-src": "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='" };
  const fonts = "https://fonts.googleapis.com https://fonts.gstatic.com";
  const inline = { "style-src": "'unsafe-inline'", "script-src": "'unsafe-inline'" };
  const cases: [keys: Record<string, unknown>, added: Record<string, string>][] = [
    [{ logoUrl: "https://a.example/l.svg" }, picture],
    [{ favicon: "//b.example/f" }, { "img-src": "b.example" }],
    [{ themeUrl: "https://a.example/t.css" }, anything("https://a.example")],
    [{ scripts: [{ src: "https://s.example:8443/s.js" }] }, anything("https://s.example:8443")],
    [{ links: [{ rel: "manifest", href: "app.webmanifest" }] }, {}],
    [{ js: "alert(1)" }, ownCode],
    [{ css: "a{background:url(x.png)}" }, {
      "style-src": "'sha256-sIaRodVKWszhgZv7Io1jRl4+7xHu5QBClYbvY17TvvA='",
    }],
    [{ customHeadHtml: '<link href="//fonts.googleapis.com/css2" rel=stylesheet>' }, {
      ...anything("fonts.googleapis.com"),
      "style-src": "fonts.googleapis.com 'unsafe-inline'",
      "script-src": "fonts.googleapis.com 'unsafe-inline'",
    }],
    [{ themeUrl: "https://fonts.googleapis.com/css2?family=Inter" }, anything(fonts)],
    [{ customBodyHtml: '<p onclick="alert(1)">' }, inline],
    [{ customBodyHtml: "<script>alert(1)</script>", js: "alert(1)" }, inline],
  ];
  for (const [keys, expected] of cases) assertEquals(await ofWebsite(keys), expected);
});

Deno.test("pages allow hosts of pictures, further origins and the repository's states", async () => {
  assertEquals(await added({ pages: { images: ["i.example.com"] } }), {
    "img-src": "https://i.example.com",
  });
  const everything = await added({ pages: { origins: ["https://x.example/path"] } });
  assertEquals(everything, anything("https://x.example"));
  assertEquals(await added({ pages: { live: "repository" } }), {
    "connect-src": "https://raw.githubusercontent.com",
  });
});

Deno.test("no address adds a directive or a permissive keyword to the policy", () => {
  const addresses = [
    "https://a;script-src%20*/x",
    "https://a.example;script-src/x",
    "https://*/x",
    "https://a,b/x",
    "https://'unsafe-inline'/x",
    "data:image/png,; script-src *",
    "//a.example;script-src/x",
  ];
  for (const logo of addresses) assertEquals(partsOf(pageSettings({ logo }).policy), STRICT, logo);
});
