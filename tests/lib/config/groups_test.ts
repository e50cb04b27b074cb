import { assertEquals } from "@std/assert";
import { formatPath } from "../../../lib/io/problem.ts";
import { parseConfig } from "../../../lib/config/parse.ts";

const SITES = [
  { name: "A", group: "Shops" },
  { name: "B" },
  { name: "C", group: "Stripe" },
  { name: "D", group: "Shops" },
  { name: "E", group: "Mail" },
].map((site) => ({ ...site, url: "https://x.example" }));

async function read(groups: unknown, others: object = {}) {
  const { config, problems } = await parseConfig(
    JSON.stringify({ sites: SITES, groups, ...others }),
  );
  const found = problems.map((one) => `${one.severity} ${formatPath(one.path)}: ${one.message}`);
  return { config: config!, problems: found };
}

Deno.test("groups are shown as they are listed, the others in the order of the sites", async () => {
  const mail = { name: "Mail", description: " What we send. " };
  const { config, problems } = await read([mail, { name: "Stripe", external: "yes" }]);
  assertEquals(problems, []);
  assertEquals(config.groups, [
    { name: "Mail", description: " What we send. ", isExternal: false, slug: "mail" },
    { name: "Stripe", description: undefined, isExternal: true, slug: "stripe" },
    { name: "Shops", isExternal: false, slug: "shops" },
    { name: undefined, isExternal: false, slug: "other" },
  ]);
  assertEquals(
    config.sites.flatMap(({ name, isExternal }) => isExternal ? [name] : []),
    ["C"],
  );
});

Deno.test("a wrong group costs nothing but itself, and a name without sites is a warning", async () => {
  const usual = ["Shops", undefined, "Stripe", "Mail"];
  const cases: [groups: unknown, names: typeof usual, problems: string[]][] = [
    [null, usual, []],
    ["Mail", usual, [
      'error groups: expected a list of groups such as "- name: Mail", found "Mail"',
    ]],
    [{ Mail: { external: true } }, usual, [
      'error groups: expected a list of groups such as "- name: Mail", found a map',
    ]],
    [{ name: "Mail", extern: true }, ["Mail", "Shops", undefined, "Stripe"], [
      'warning groups.extern: unknown key, did you mean "external"?',
    ]],
    [["Mail"], usual, [
      'error groups[0]: expected a map with name such as "- name: Mail", found "Mail"',
    ]],
    [[{ description: "x" }], usual, ["error groups[0].name: is missing"]],
    [[{ name: "Mail", description: 7 }], ["Mail", "Shops", undefined, "Stripe"], [
      "error groups[0].description: expected a text, found 7",
    ]],
    [[{ name: "Mail", sites: ["D"], public: false }], ["Mail", "Shops", undefined, "Stripe"], [
      "warning groups[0].sites: has no effect: name the group at each of these sites, with group:",
      "warning groups[0].public: has no effect here: it belongs to each site of the group",
    ]],
    [[{ name: "mail" }, { name: "Blog" }], usual, [
      'warning groups[0].name: no site has the group "mail", did you mean "Mail"?',
      'warning groups[1].name: no site has the group "Blog": give it sites with group:, or remove it',
    ]],
    [[{ name: "Mail" }, { name: "Mail", external: true }], [
      "Mail",
      "Shops",
      undefined,
      "Stripe",
    ], ['warning groups[1].name: "Mail" is listed already: only that counts']],
  ];
  for (const [groups, names, expected] of cases) {
    const { config, problems } = await read(groups);
    assertEquals(problems, expected);
    assertEquals(config.groups.map(({ name }) => name), names);
  }
});

Deno.test("channels and maintenance refer to groups by their names", async () => {
  const window = { start: "2026-12-24T22:00", duration: "1h" };
  const { config, problems } = await read([{ name: "Mail" }, { name: "Blog" }], {
    maintenance: [{ ...window, groups: ["Mail"] }, { ...window, groups: ["Blog"] }],
    notifications: [{
      type: "slack",
      "webhook-url": "$HOOK",
      on: "down",
      groups: ["mail", "Blog"],
    }],
  });
  assertEquals(config.maintenance.map(({ sites }) => sites), [["e"]]);
  assertEquals(config.notifications[0]!.groups, ["mail"]);
  assertEquals(problems.map((text) => text.slice(0, 41)), [
    "warning groups[1].name: no site has the g",
    "warning maintenance[1].groups[0]: unknown",
    "error notifications[0].groups[1]: unknown",
  ]);
});
