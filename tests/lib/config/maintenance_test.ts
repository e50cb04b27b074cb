import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";

const SITES = `sites:
  - { name: Shop, url: https://shop.example, group: Public }
  - { name: 404, url: https://four.example, group: 7 }
  - { name: Büro, slug: office, url: https://office.example }
`;
/** One of them can't be read. */
const BROKEN = SITES.replace("https://four.example", "[]");

const ONCE = "maintenance:\n  - start: 2026-12-24T22:00\n    duration: 2h\n";
const DAILY = "maintenance:\n  - cron: 0 3 * * *\n    duration: 1h\n";
const ALL = "shop 404 office";

const LENGTH =
  "maintenance[0].duration: expected a length of time from 1 m to 90 d, such as 90m or 4h, found";
const TIME = "expected a time such as 2026-12-24T22:00 or 2026-12-24T22:00+01:00, found";

/** The windows in the first lines of a configuration, and the problems. */
const CASES: readonly [text: string, windows: string[], problems: string[], sites?: string][] = [
  ["maintenance: null\n", [], []],
  ["maintenance:\n", [], []],
  ["maintenance: []\n", [], []],
  ["maintenance: {}\n", [], [
    "error 1:1 maintenance: expected a list of maintenance windows, found a map",
  ]],
  ["maintenance: soon\n", [], [
    'error 1:1 maintenance: expected a list of maintenance windows, found "soon"',
  ]],
  ["maintenance:\n  -\n", [], [
    "error 2:4 maintenance[0]: expected a map with cron or start, and duration, found nothing",
  ]],
  ["maintenance:\n  - soon\n", [], [
    'error 2:5 maintenance[0]: expected a map with cron or start, and duration, found "soon"',
  ]],
  ["maintenance:\n  - {}\n", [], ["error 2:5 maintenance[0].duration: is missing"]],
  [ONCE, [`Scheduled maintenance: ${ALL}, 2026-12-24T22:00:00Z, 120 min, UTC`], []],
  [`timezone: Europe/Berlin\n${ONCE}`, [
    `Scheduled maintenance: ${ALL}, 2026-12-24T21:00:00Z, 120 min, Europe/Berlin`,
  ], []],
  [`timezone: Europe/Berlin\n${ONCE}    timezone: America/New_York\n    name: Move\n`, [
    `Move: ${ALL}, 2026-12-25T03:00:00Z, 120 min, America/New_York`,
  ], []],
  [
    ONCE.replace("2h", "90"),
    [`Scheduled maintenance: ${ALL}, 2026-12-24T22:00:00Z, 90 min, UTC`],
    [],
  ],
  [ONCE.replace("2h", "0"), [], [`error 3:5 ${LENGTH} 0`]],
  [ONCE.replace("2h", "-5m"), [], [`error 3:5 ${LENGTH} "-5m"`]],
  [ONCE.replace("2h", "91d"), [], [`error 3:5 ${LENGTH} "91d"`]],
  [ONCE.replace("2h", ".nan"), [], [`error 3:5 ${LENGTH} NaN`]],
  [ONCE.replace("2h", "forever"), [], [`error 3:5 ${LENGTH} "forever"`]],
  [ONCE.replace("    duration: 2h\n", ""), [], ["error 2:5 maintenance[0].duration: is missing"]],
  [ONCE.replace("2026-12-24T22:00", "tomorrow"), [], [
    `error 2:5 maintenance[0].start: ${TIME} "tomorrow"`,
  ]],
  [ONCE.replace("2026-12-24T22:00", "20261224"), [], [
    `error 2:5 maintenance[0].start: ${TIME} 20261224`,
  ]],
  [ONCE.replace("2026-12-24T22:00", "2026-02-29"), [], [
    `error 2:5 maintenance[0].start: ${TIME} "2026-02-29"`,
  ]],
  [ONCE.replace("start: 2026-12-24T22:00", "name: Move"), [], [
    "error 2:5 maintenance[0]: expected either cron, for a recurring window, or start, found neither",
  ]],
  [`${ONCE}    cron: 0 3 * * *\n`, [], [
    "error 2:5 maintenance[0]: expected either cron, for a recurring window, or start, found both",
  ]],
  [DAILY, [`Scheduled maintenance: ${ALL}, again, 60 min, UTC`], []],
  [DAILY.replace("1h", "1439"), [`Scheduled maintenance: ${ALL}, again, 1439 min, UTC`], []],
  [DAILY.replace("1h", "24h"), [], [
    "error 3:5 maintenance[0].duration: expected less than 1 day, the time between starts; to stop checking a site, set paused: true",
  ]],
  [DAILY.replace("0 3 * * *", "0 3 30 2 *"), [], [
    'error 2:5 maintenance[0].cron: "0 3 30 2 *" never comes',
  ]],
  [DAILY.replace("0 3 * * *", "0 3 * *"), [], [
    'error 2:5 maintenance[0].cron: expected five fields such as "*/5 * * * *", found "0 3 * *"',
  ]],
  [DAILY.replace("0 3 * * *", "0 25 * * *"), [], [
    'error 2:5 maintenance[0].cron: expected an hour from 0 to 23, found "25"',
  ]],
  [`${DAILY}    timezone: Europe/Berln\n`, [], [
    'error 4:5 maintenance[0].timezone: expected a time zone such as Europe/Berlin, found "Europe/Berln"',
  ]],
  // The zone is unknown, and silence at a wrong time is worse than none.
  [`timezone: Mars\n${DAILY}`, [], [
    'error 1:1 timezone: expected a time zone such as Europe/Berlin, found "Mars"',
    "error 3:5 maintenance[0]: its time zone is unknown, because timezone: of the top level is wrong",
  ]],
  [`timezone: Mars\n${DAILY}    timezone: UTC\n`, [
    `Scheduled maintenance: ${ALL}, again, 60 min, UTC`,
  ], ['error 1:1 timezone: expected a time zone such as Europe/Berlin, found "Mars"']],
  [`${ONCE}    sites: [shp, OFFICE, 404, shop]\n    name: 2026\n`, [
    `2026: ${ALL}, 2026-12-24T22:00:00Z, 120 min, UTC`,
  ], ['warning 4:13 maintenance[0].sites[0]: unknown: "shp", did you mean "Shop"?']],
  [`${DAILY}    sites: [büro]\n`, ["Scheduled maintenance: office, again, 60 min, UTC"], []],
  [`${DAILY}    sites: []\n`, [], [
    "warning 2:5 maintenance[0]: has no sites: leave out sites and groups for every site",
  ]],
  [`${DAILY}    groups: []\n`, [], [
    "warning 2:5 maintenance[0]: has no sites: leave out sites and groups for every site",
  ]],
  [`${DAILY}    sites: []\n    groups: [Public]\n`, [
    "Scheduled maintenance: shop, again, 60 min, UTC",
  ], []],
  [`${DAILY}    sites: [Nothing]\n`, [], [
    'warning 4:13 maintenance[0].sites[0]: unknown: "Nothing": no site has this name',
  ]],
  [`${DAILY}    sites: Shop\n`, [], [
    'error 4:5 maintenance[0].sites: expected a list with a site in each line, found "Shop"',
  ]],
  [`${DAILY}    sites: [[Shop]]\n`, [], [
    "error 4:13 maintenance[0].sites[0]: expected a site, found a list",
  ]],
  [`${DAILY}    groups: [public, 7, privat]\n`, [
    "Scheduled maintenance: shop 404, again, 60 min, UTC",
  ], ['warning 4:25 maintenance[0].groups[2]: unknown: "privat": no site has this group']],
  [`${DAILY}    groups: [Publi]\n    sites: [404]\n`, [
    "Scheduled maintenance: 404, again, 60 min, UTC",
  ], ['warning 4:14 maintenance[0].groups[0]: unknown: "Publi", did you mean "Public"?']],
  [`${DAILY}    site: [Shop]\n`, [`Scheduled maintenance: ${ALL}, again, 60 min, UTC`], [
    'warning 4:5 maintenance[0].site: unknown key, did you mean "sites"?',
  ]],
  [`${DAILY}    name: ' '\n`, [], ['error 4:5 maintenance[0].name: expected a name, found " "']],
  // A mistake in one window affects no other window.
  [`${DAILY}  - start: soon\n    duration: 1h\n  - start: 2026-12-24\n    duration: 1d\n`, [
    `Scheduled maintenance: ${ALL}, again, 60 min, UTC`,
    `Scheduled maintenance: ${ALL}, 2026-12-24T00:00:00Z, 1440 min, UTC`,
  ], [`error 4:5 maintenance[1].start: ${TIME} "soon"`]],
  [
    "x-night: &night { cron: 0 3 * * *, duration: 1h }\nmaintenance:\n  - *night\n  - { <<: *night, sites: [Shop], name: Two }\n",
    [`Scheduled maintenance: ${ALL}, again, 60 min, UTC`, "Two: shop, again, 60 min, UTC"],
    [],
  ],
  [
    `x-sites: &two [Shop, 404]\n${DAILY}    sites: *two\n`,
    ["Scheduled maintenance: shop 404, again, 60 min, UTC"],
    [],
  ],
  // A site that can't be read may well be the one that is named.
  [`${DAILY}    sites: [Shop, 404]\n`, ["Scheduled maintenance: shop, again, 60 min, UTC"], [
    "error 7:18 sites[1].url: expected an address, found a list",
  ], BROKEN],
  [`${DAILY}    sites: [404]\n`, [], [
    "error 7:18 sites[1].url: expected an address, found a list",
  ], BROKEN],
  [`${DAILY}    groups: [7]\n`, [], [
    "error 7:18 sites[1].url: expected an address, found a list",
  ], BROKEN],
];

Deno.test("maintenance windows are parsed, and every mistake in one is reported with its place", async () => {
  for (const [text, windows, problems, sites = SITES] of CASES) {
    assertEquals(await read(text + sites), [windows, problems], text);
  }
});

async function read(text: string): Promise<[windows: string[], problems: string[]]> {
  const { config, problems } = await parseConfig(text);
  const windows = config!.maintenance.map(({ name, sites, startsAt, duration, timezone }) => {
    const start = startsAt instanceof Temporal.Instant ? startsAt : "again";
    return `${name}: ${sites.join(" ")}, ${start}, ${duration / 60_000} min, ${timezone}`;
  });
  const messages = problems.map((one) =>
    formatProblem(one, one.severity).replace(/^(error|warning|notice):/, "$1 ")
  );
  return [windows, messages];
}
