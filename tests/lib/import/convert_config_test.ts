import { assertEquals } from "@std/assert";
import { convertConfig } from "../../../lib/import/convert_config.ts";
import { CHECK_NAMES } from "../../../lib/config/checks/mod.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { identifySites } from "../../../lib/import/identify_sites.ts";

async function convert(source: string) {
  const { sites } = await identifySites([], source);
  const recorded = sites.map(({ slug }) => slug);
  return await convertConfig(source, { sites, channels: [], recorded, keepsGraphs: false });
}

const SHOP = "  - name: Shop\n    url: https://shop.example.com\n";
const BLOG = "  - name: Blog\n    url: https://blog.example.com\n";
const PORT = 'expected a port from 1 to 65535, found "five"';
const CHECK = `expected one of ${
  CHECK_NAMES.join(", ")
}, found "minecraft": the check is tcp-ping instead`;

/** The report of a key that is commented out. */
function unread(key: string, sites = 'the site "Shop"'): string {
  const known = `${key}${sites && ` of ${sites}`} is commented out: Upptime never read it`;
  return `${known}, and here it would have an effect`;
}

/** Entries of `sites:`, their conversion, and the report. */
const LISTED: Readonly<Record<string, [before: string, after: string, changes: string[]]>> = {
  "a site that is listed again is commented out": [
    `${SHOP}  - name: Blog\n    url: https://blog.example.com\n${SHOP}`,
    `${SHOP}  - name: Blog\n    url: https://blog.example.com\n` +
    "  # The same site is listed above, so this is switched off:\n" +
    "  # - name: Shop\n  #   url: https://shop.example.com\n",
    ['another entry of the site "Shop" with the same keys is commented out'],
  ],
  "also one between brackets": [
    "  - {name: Shop, url: 'https://shop.example.com'}\n".repeat(2),
    "  - {name: Shop, url: 'https://shop.example.com'}\n" +
    "  # The same site is listed above, so this is switched off:\n" +
    "  # - {name: Shop, url: 'https://shop.example.com'}\n",
    ['another entry of the site "Shop" with the same keys is commented out'],
  ],
  "one with other keys stays, under a slug of its own": [
    `${SHOP}${SHOP}    method: HEAD\n`,
    `${SHOP}  - name: Shop\n    slug: "shop-2"\n    url: https://shop.example.com\n    method: HEAD\n`,
    ['slug: of the site "Shop" (shop-2) is new: the same site is listed again, without a past; remove one'],
  ],
  "two sites of one name need a slug": [
    `${SHOP}  - name: Shop\n    url: https://other.example.com\n`,
    `${SHOP}  - name: Shop\n    slug: "shop-2"\n    url: https://other.example.com\n`,
    ['slug: of the site "Shop" (shop-2) is new: the history is kept under it'],
  ],
  "a tcp-ping without a port gets the one that Upptime connected to": [
    "  - name: Database\n    url: db.example.com\n    check: tcp-ping\n",
    "  - name: Database\n    port: 80\n    url: db.example.com\n    check: tcp-ping\n",
    ['port: 80 of the site "Database" is new: Upptime\'s tcp-ping connects to it if no port is set'],
  ],
  "also one whose host is a secret": [
    "  - name: Database\n    url: $HOST\n    check: tcp-ping\n",
    "  - name: Database\n    port: 80\n    url: $HOST\n    check: tcp-ping\n",
    ['port: 80 of the site "Database" is new: Upptime\'s tcp-ping connects to it if no port is set'],
  ],
  "one whose url has a port stays": [
    "  - name: Database\n    url: db.example.com:5432\n    check: tcp-ping\n",
    "  - name: Database\n    url: db.example.com:5432\n    check: tcp-ping\n",
    [],
  ],
  "channels of a site, which Upptime never read, are commented out": [
    `${SHOP}    notifications:\n      - type: slack\n`,
    `${SHOP}    # Upptime never read this, so it is switched off:\n    # notifications:\n    #   - type: slack\n`,
    [unread("notifications")],
  ],
  "an unknown key stays if others refer to it": [
    `${SHOP}    usual: &codes [200, 401]\n    expectedStatusCodes: *codes\n`,
    `${SHOP}    x-usual: &codes [200, 401]\n    expectedStatusCodes: *codes\n`,
    ['usual of the site "Shop" now starts with x-: Upptime never read it, but other keys refer to it'],
  ],
  "a key that only this program reads is commented out": [
    `${SHOP}    interval: 5 # minutes\n`,
    `${SHOP}    # Upptime never read this, so it is switched off:\n    # interval: 5 # minutes\n`,
    [unread("interval")],
  ],
  "also an unread one between brackets": [
    "  - {name: Shop, interval: 5, url: 'https://shop.example.com', group: EU}\n",
    "  # Upptime never read this, so it is switched off:\n  # interval: 5\n" +
    "  # Upptime never read this, so it is switched off:\n  # group: EU\n" +
    "  - {name: Shop, url: 'https://shop.example.com'}\n",
    [unread("interval"), unread("group")],
  ],
  "also the first ones of an entry": [
    "  - interval: 5\n    # Europe\n    group: EU\n    name: Shop\n    url: https://shop.example.com\n",
    "  # Upptime never read this, so it is switched off:\n  # interval: 5\n    # Europe\n" +
    "    # Upptime never read this, so it is switched off:\n    # group: EU\n" +
    "  - name: Shop\n    url: https://shop.example.com\n",
    [unread("interval"), unread("group")],
  ],
  "also one of several sites": [
    `${SHOP}    interval: 5\n${BLOG}    interval: 10\n`,
    `${SHOP}    # Upptime never read this, so it is switched off:\n    # interval: 5\n` +
    `${BLOG}    # Upptime never read this, so it is switched off:\n    # interval: 10\n`,
    [unread("interval", '2 sites ("Shop", "Blog")')],
  ],
  "also one that sites share": [
    `${SHOP}    <<: &usual\n      interval: 5\n      maxRedirects: 1\n${BLOG}    <<: *usual\n`,
    `${SHOP}    <<: &usual\n      # Upptime never read this, so it is switched off:\n` +
    `      # interval: 5\n      maxRedirects: 1\n${BLOG}    <<: *usual\n`,
    [unread("interval", '2 sites ("Shop", "Blog")')],
  ],
  "also beside a text that not every parser reads": [
    `${SHOP}    interval: 5\n${BLOG}    interval: 10\nstatus-website:\n    css: "\n.a { top }\n  "\n`,
    `${SHOP}    # Upptime never read this, so it is switched off:\n    # interval: 5\n` +
    `${BLOG}    # Upptime never read this, so it is switched off:\n    # interval: 10\n` +
    'status-website:\n    css: "\n.a { top }\n  "\n',
    [unread("interval", '2 sites ("Shop", "Blog")')],
  ],
  "also with the line ends of Windows": [
    `${SHOP}    interval: 5\n    maxRedirects: 1\n`.replaceAll("\n", "\r\n"),
    `${SHOP}    # Upptime never read this, so it is switched off:\n    # interval: 5\n    maxRedirects: 1\n`
      .replaceAll("\n", "\r\n"),
    [unread("interval")],
  ],
  "also keys of the top level and of its parts": [
    `${SHOP}interval: 5\nstatus-website:\n  logoDark: a.svg\n  name: Acme\nworkflowSchedule:\n  site: 0 3 * * *\n`,
    `${SHOP}# Upptime never read this, so it is switched off:\n# interval: 5\nstatus-website:\n` +
    "  # Upptime never read this, so it is switched off:\n  # logoDark: a.svg\n  name: Acme\n" +
    "workflowSchedule:\n  # Upptime never read this, so it is switched off:\n  # site: 0 3 * * *\n",
    [
      unread("interval", ""),
      "status-website.logoDark is commented out: Upptime never read it, so it never had an effect",
      unread("workflowSchedule.site", ""),
    ],
  ],
  "what can't be used is commented out with the reason, and the site stays": [
    `${SHOP}    maxRedirects: -1\n    headers:\n      - nothing\n      - "X-A: b"\n`,
    `${SHOP}    # Switched off, because it can't be used: expected a whole number from 0 to 50, found -1\n` +
    "    # maxRedirects: -1\n    headers:\n" +
    '      # Switched off, because it can\'t be used: expected "Header-Name: value", found "nothing"\n' +
    '      # - nothing\n      - "X-A: b"\n',
    [
      'maxRedirects of the site "Shop" is commented out, because it can\'t be used: expected a whole number from 0 to 50, found -1',
      'headers.0 of the site "Shop" is commented out, because it can\'t be used: expected "Header-Name: value", found "nothing"',
    ],
  ],
  "a site without an address is commented out": [
    `${SHOP}  - name: Gone\n    url:\n    method: HEAD\n`,
    `${SHOP}  # Switched off, because it can't be used: url is missing\n` +
    "  # - name: Gone\n  #   url:\n  #   method: HEAD\n",
    ['the entry of the site "Gone" is commented out, because it can\'t be used: url is missing'],
  ],
  "an unknown check becomes the one that is made": [
    "  - name: Game\n    url: game.example.com\n    port: 25565\n    check: minecraft\n",
    "  - name: Game\n    url: game.example.com\n    port: 25565\n" +
    `    check: "tcp-ping" # ${CHECK}\n`,
    [`check: "tcp-ping" of the site "Game" is new: ${CHECK}`],
  ],
  "a port that is none becomes Upptime's": [
    "  - name: Database\n    url: db.example.com\n    check: tcp-ping\n    port: five\n",
    "  - name: Database\n    port: 80\n    url: db.example.com\n    check: tcp-ping\n" +
    `    # Switched off, because it can't be used: ${PORT}\n    # port: five\n`,
    [
      `port of the site "Database" is commented out, because it can't be used: ${PORT}`,
      'port: 80 of the site "Database" is new: Upptime\'s tcp-ping connects to it if no port is set',
    ],
  ],
  "a second site of one name gets a slug of letters, digits and hyphens": [
    "  - name: Über & Co. (EU)\n    url: https://a.example.com\n" +
    "  - name: Über & Co. (EU)\n    url: https://b.example.com\n" +
    "  - name: ⚡ 商店!\n    url: https://a.example.com\n" +
    "  - name: ⚡ 商店!\n    url: https://b.example.com\n",
    "  - name: Über & Co. (EU)\n    url: https://a.example.com\n" +
    '  - name: Über & Co. (EU)\n    slug: "ueber-and-co-eu-2"\n    url: https://b.example.com\n' +
    "  - name: ⚡ 商店!\n    url: https://a.example.com\n" +
    '  - name: ⚡ 商店!\n    slug: "商店-2"\n    url: https://b.example.com\n',
    [
      'slug: of 2 sites ("Über & Co. (EU)" (ueber-and-co-eu-2), "⚡ 商店!" (商店-2)) is new: the history is kept under it',
    ],
  ],
  "a slug with capitals stays": [
    "  - name: Shop\n    slug: Shop\n    url: https://shop.example.com\n",
    "  - name: Shop\n    slug: Shop\n    url: https://shop.example.com\n",
    [],
  ],
};

for (const [name, [before, after, expected]] of Object.entries(LISTED)) {
  Deno.test(`the configuration of Upptime is converted: ${name}`, async () => {
    const { text, changes } = await convert(`sites:\n${before}`);
    assertEquals(text, `sites:\n${after}`);
    assertEquals(changes, expected);
    assertEquals((await convert(text)).text, text);
    const { problems } = await parseConfig(text);
    assertEquals(problems.filter(({ severity }) => severity === "error"), []);
  });
}

Deno.test("only the message with a configurable prefix gets it, and a token is removed from the file", async () => {
  const { text, changes } = await convert(
    `PAT: ghp_x\ncommitMessages:\n  readmeContent: $EMOJI\n  statusChange: $EMOJI $STATUS\nsites:\n${SHOP}`,
  );
  assertEquals(
    text,
    `# A token does not belong in a file: revoke it.\n# PAT: ghp_x\ncommitMessages:\n  readmeContent: $EMOJI\n` +
      `  statusChange: $PREFIX $STATUS\nsites:\n${SHOP}`,
  );
  assertEquals(changes.map((change) => /^\S+/.exec(change)![0]), ["$EMOJI", "PAT"]);
});
