import { assertEquals } from "@std/assert";
import { convertConfig } from "../../../lib/import/convert_config.ts";
import { identifySites } from "../../../lib/import/identify_sites.ts";

async function convert(source: string) {
  const { sites } = await identifySites([], source);
  const recorded = sites.map(({ slug }) => slug);
  return await convertConfig(source, { sites, channels: [], recorded, keepsGraphs: false });
}

const SHOP = "  - name: Shop\n    url: https://shop.example.com\n";

/** Entries of `sites:`, their conversion, and the report. */
const LISTED: Readonly<Record<string, [before: string, after: string, changes: string[]]>> = {
  "a site that is listed again is commented out": [
    `${SHOP}  - name: Blog\n    url: https://blog.example.com\n${SHOP}`,
    `${SHOP}  - name: Blog\n    url: https://blog.example.com\n` +
    "  # The same site is listed above, so this is switched off:\n" +
    "  # - name: Shop\n  #   url: https://shop.example.com\n",
    ['the site "Shop" is listed again with the same keys: that entry is commented out'],
  ],
  "also one between brackets": [
    "  - {name: Shop, url: 'https://shop.example.com'}\n".repeat(2),
    "  - {name: Shop, url: 'https://shop.example.com'}\n" +
    "  # The same site is listed above, so this is switched off:\n" +
    "  # - {name: Shop, url: 'https://shop.example.com'}\n",
    ['the site "Shop" is listed again with the same keys: that entry is commented out'],
  ],
  "one with other keys stays, under a slug of its own": [
    `${SHOP}${SHOP}    method: HEAD\n`,
    `${SHOP}  - name: Shop\n    slug: "shop-2"\n    url: https://shop.example.com\n    method: HEAD\n`,
    ['the site "Shop" is listed again: that entry has slug: shop-2 and no past; remove one of the two'],
  ],
  "two sites of one name need a slug": [
    `${SHOP}  -\n  - name: Shop\n    url: https://other.example.com\n`,
    `${SHOP}  -\n  - name: Shop\n    slug: "shop-2"\n    url: https://other.example.com\n`,
    ['the site "Shop" has slug: shop-2, under which its history is kept'],
  ],
  "a tcp-ping without a port gets the one that Upptime connected to": [
    "  - name: Database\n    url: db.example.com\n    check: tcp-ping\n",
    "  - name: Database\n    port: 80\n    url: db.example.com\n    check: tcp-ping\n",
    ['the site "Database" has port: 80, to which Upptime\'s tcp-ping connects without a port'],
  ],
  "also one whose host is a secret": [
    "  - name: Database\n    url: $HOST\n    check: tcp-ping\n",
    "  - name: Database\n    port: 80\n    url: $HOST\n    check: tcp-ping\n",
    ['the site "Database" has port: 80, to which Upptime\'s tcp-ping connects without a port'],
  ],
  "one whose url has a port stays": [
    "  - name: Database\n    url: db.example.com:5432\n    check: tcp-ping\n",
    "  - name: Database\n    url: db.example.com:5432\n    check: tcp-ping\n",
    [],
  ],
  "channels of a site, which Upptime never read, are commented out": [
    `${SHOP}    notifications:\n      - type: slack\n`,
    `${SHOP}    # Upptime never read this, so it is switched off:\n    # notifications:\n    #   - type: slack\n`,
    [
      "sites.0.notifications is commented out: Upptime never read it, so it never had an effect",
    ],
  ],
  "an unknown key stays if others refer to it": [
    `${SHOP}    usual: &codes [200, 401]\n    expectedStatusCodes: *codes\n`,
    `${SHOP}    x-usual: &codes [200, 401]\n    expectedStatusCodes: *codes\n`,
    ["sites.0.usual now starts with x-: Upptime never read it, but other keys refer to it"],
  ],
  "a key that only this program reads stays, and is reported": [
    `${SHOP}    group: EU\n`,
    `${SHOP}    group: EU\n`,
    ["sites.0.group: stays as it is; Upptime never read it, and from now on it is used"],
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
