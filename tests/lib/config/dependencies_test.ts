import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";

/** The dependencies of each site as text, and the problems. */
async function read(text: string): Promise<{ needs: Record<string, string>; said: string[] }> {
  const { config, problems } = await parseConfig(text);
  return {
    needs: Object.fromEntries(
      config!.sites.map(({ slug, dependsOn }) => [
        slug,
        dependsOn.map((one) => "slug" in one ? `site ${one.slug}` : one.address).join(", "),
      ]),
    ),
    said: problems.map((one) => `${one.severity} ${formatProblem(one, "x")}`),
  };
}

function site(name: string, dependsOn?: unknown, more: Record<string, unknown> = {}) {
  const needs = dependsOn === undefined ? {} : { dependsOn };
  return { name, url: "https://example.com", ...needs, ...more };
}

async function readSites(sites: readonly unknown[], top: Record<string, unknown> = {}) {
  return await read(JSON.stringify({ ...top, sites }));
}

Deno.test("a site depends on others by name or slug in any case, or on addresses; a name counts before an address", async () => {
  const { needs, said } = await readSites([
    site("Shop", "ROUTER"),
    site("Blog", [
      "shop-eu",
      " the  router",
      "[fe80::1]:22",
      "$HOST:$PORT",
      "$ROUTER",
      "db:5432",
      "router",
    ]),
    site("Router", []),
    site("Shop (EU)", "DB:5432", { slug: "shop-eu" }),
    site("DB:5432", undefined, { slug: "db" }),
  ]);
  assertEquals(said, [
    'error x:1:142 sites[1].dependsOn[1]: expected the name of a monitored site or host:port, found " the  router", did you mean "Router"?',
  ]);
  assertEquals(needs, {
    shop: "site router",
    blog: "site shop-eu, [fe80::1]:22, $HOST:$PORT, $ROUTER, site db, site router",
    router: "",
    "shop-eu": "site db",
    db: "",
  });
});

Deno.test("dependsOn accepts a site with a numbered slug, and addresses that contain secrets", async () => {
  const text = JSON.stringify({
    sites: [site("Shop"), site("shop"), site("Blog", ["Shop-2", "$HOST:22"], { body: "$KEY" })],
  });
  const { needs } = await read(text);
  assertEquals(needs["blog"], "site shop-2, $HOST:22");
  assertEquals((await parseConfig(text)).config!.sites[2]!.secrets, ["HOST", "KEY"]);
});

Deno.test("a mistake in a dependency is reported with its place, and only that dependency is left out", async () => {
  const { needs, said } = await read(`sites:
  - name: Shop
    url: https://example.com
    dependsOn: [Ruoter, router.lan, router.lan:99999, "::1:22", shop]
  - { name: Blog, url: "https://example.com", dependsOn: { router: 1 } }
  - { name: Post, url: "https://example.com", dependsOn: [Gone, Resting] }
  - { name: Gone, dependsOn: 7 }
  - { name: Router, url: "https://example.com" }
  - { name: Resting, url: "https://example.com", paused: true }
`);
  const expected = "expected the name of a monitored site or host:port";
  assertEquals(said, [
    `error x:4:17 sites[0].dependsOn[0]: ${expected}, found "Ruoter", did you mean "Router"?`,
    `error x:4:25 sites[0].dependsOn[1]: ${expected}, found "router.lan", did you mean "Router"?`,
    `error x:4:37 sites[0].dependsOn[2]: ${expected}, found "router.lan:99999"`,
    `error x:4:55 sites[0].dependsOn[3]: ${expected}, found "::1:22"`,
    'error x:4:65 sites[0].dependsOn[4]: "Shop" can\'t depend on itself, directly or through others',
    `error x:5:47 sites[1].dependsOn: expected the name of a site or host:port, or a list of these, found a map`,
    `error x:6:59 sites[2].dependsOn[0]: ${expected}, found "Gone"`,
    'warning x:6:65 sites[2].dependsOn[1]: has no effect while "Resting" is paused',
    "error x:7:5 sites[3].url: is missing",
  ]);
  assertEquals(needs, { shop: "", blog: "", post: "site resting", router: "", resting: "" });
});

Deno.test("a dependency that closes a cycle is reported and left out", async () => {
  const { needs, said } = await readSites([
    site("A", "B"),
    site("B", ["C", "D"]),
    site("C", "A"),
    site("D", "B"),
  ]);
  assertEquals(said.map((one) => one.replace(/^.* (?=sites)/, "")), [
    'sites[2].dependsOn: "C" can\'t depend on itself, directly or through others',
    'sites[3].dependsOn: "D" can\'t depend on itself, directly or through others',
  ]);
  assertEquals(needs, { a: "site b", b: "site c, site d", c: "", d: "" });
});

Deno.test("default dependencies exclude the dependency itself, what it depends on, and sites with their own list", async () => {
  const sites = [site("Shop"), site("Router", "Uplink"), site("Uplink"), site("Blog", [])];
  const all = await readSites(sites, { defaults: { dependsOn: ["router", "router", "dns:53"] } });
  assertEquals(all, {
    needs: { shop: "site router, dns:53", router: "site uplink", uplink: "", blog: "" },
    said: [],
  });
  const { needs, said } = await readSites(sites, { defaults: { dependsOn: "Ruoter" } });
  assertEquals([needs["shop"], said.length], ["", 1]);
});
