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
  "base-uri": "'none'",
  "form-action": "'none'",
};

/** The parts of a policy. */
function partsOf(policy: string): Record<string, string> {
  return Object.fromEntries(
    policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]),
  );
}

/** What a configuration adds to the strictest policy, by parts. */
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

Deno.test("a page of which nothing is configured may load what lies beside it, and nothing else", async () => {
  assertEquals(partsOf((await settingsWith()).policy), STRICT);
});

Deno.test("pictures, sheets and scripts that the owner names may come from where they are", async () => {
  assertEquals(await ofWebsite({ logoUrl: "https://a.example/l.svg" }), {
    "img-src": "https://a.example",
  });
  assertEquals(await ofWebsite({ favicon: "//b.example/f" }), { "img-src": "b.example" });
  assertEquals(await ofWebsite({ themeUrl: "https://a.example/t.css" }), {
    ...{ "style-src": "https://a.example", "img-src": "https://a.example" },
    "font-src": "https://a.example",
  });
  assertEquals(await ofWebsite({ scripts: [{ src: "https://s.example:8443/s.js?x" }] }), {
    ...{ "script-src": "https://s.example:8443", "connect-src": "https://s.example:8443" },
  });
  const links = [{ rel: "apple-touch-icon", href: "https://a.example/i.png" }, {
    ...{ rel: "manifest", href: "app.webmanifest" },
  }];
  assertEquals(await ofWebsite({ links }), {
    ...{ "img-src": "https://a.example", "manifest-src": "'self'" },
  });
  assertEquals(await ofWebsite({ links: [{ rel: "preconnect", href: "https://a.example" }] }), {});
});

Deno.test("hosts whose pictures are allowed may show them, and further addresses may be for anything", async () => {
  assertEquals(await added({ pages: { images: ["i.example.com"] } }), {
    "img-src": "https://i.example.com",
  });
  const everything = await added({ pages: { origins: ["https://x.example/path"] } });
  assertEquals(new Set(Object.values(everything)), new Set(["https://x.example"]));
  assertEquals(everything["form-action"], undefined);
});

Deno.test("fresh states of the repository may be asked for", async () => {
  assertEquals(await added({ pages: { live: "repository" } }), {
    "connect-src": "https://raw.githubusercontent.com",
  });
});

Deno.test("scripts and styles in the page are allowed by what they are, with what they load", async () => {
  assertEquals(await ofWebsite({ js: "alert(1)" }), {
    "script-src": "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='",
  });
  const css =
    "@import url('https://fonts.googleapis.com/css2?family=Inter'); a{background:url(x.png)}";
  const { "style-src": styles, ...rest } = await ofWebsite({ css });
  assertEquals(styles!.replace(/sha256-[\w+/=]+/, "…"), "'…' https://fonts.googleapis.com");
  assertEquals(rest, {
    "img-src": "https://fonts.googleapis.com",
    "font-src": "https://fonts.googleapis.com https://fonts.gstatic.com",
  });
});

Deno.test("what the owner's own HTML loads is allowed, part by part", async () => {
  const of = (customBodyHtml: string) => ofWebsite({ customBodyHtml });
  const hash = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='";
  assertEquals(await of("<script>alert(1)</script>"), { "script-src": hash });
  assertEquals(await of('<p onclick="alert(1)">'), {
    "script-src-attr": `'unsafe-hashes' ${hash}`,
  });
  assertEquals(await of('<p style="alert(1)">'), { "style-src-attr": `'unsafe-hashes' ${hash}` });
  assertEquals(await of("<style>alert(1)</style><script src=x.js>alert(2)</script>"), {
    "style-src": hash,
  });
  assertEquals(await of('<iframe src="https://v.example/1"></iframe>'), {
    "frame-src": "https://v.example",
  });
  assertEquals(await of('<img srcset="https://a.example/1 1x, https://b.example/2 2x">'), {
    "img-src": "https://a.example https://b.example",
  });
  assertEquals(await of('<form action="https://f.example/"></form>'), {
    "form-action": "https://f.example",
  });
  assertEquals(partsOf((await settingsWith()).policy)["form-action"], "'none'");
  assertEquals(await of('<link rel="stylesheet" href="https://a.example/a.css">'), {
    ...{ "style-src": "https://a.example", "img-src": "https://a.example" },
    "font-src": "https://a.example",
  });
});

Deno.test("no address can add a part to the policy, or a word that opens it", () => {
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
