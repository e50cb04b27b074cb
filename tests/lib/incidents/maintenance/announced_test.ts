import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Config } from "../../../../lib/config/config.ts";
import { formatMaintenance, parseMaintenance } from "../../../../lib/history/maintenance.ts";
import { announced } from "../../../../lib/incidents/maintenance/announcement.ts";
import { hostileText } from "../../../helpers/hostile_text.ts";
import { blocksOf, readDoc } from "../../../helpers/docs.ts";
import fc from "../../../helpers/property.ts";
import { configOf } from "../../../helpers/sites.ts";

const LONG = "Many (very) long words make this a name that no label of an issue holds";
const NAMES = ["Google", "Hacker News", "Shop EU", "Élan", LONG, "maintenance"];
const CONFIG = await configOf(NAMES.map((name) => ({ name, url: "https://a.example/" })));

/** The announcement of an issue with a body; times are in Berlin by default. */
function read(body: string, { labels = [], title = "Router", config = CONFIG, ...more }: {
  labels?: string[];
  title?: string;
  config?: Pick<Config, "sites">;
  timezone?: string;
  lacksSites?: boolean;
  isPart?: boolean;
} = {}) {
  const issue = { number: 12, title, body, labels: ["maintenance", ...labels] };
  return announced(issue, { sites: config.sites, timezone: "Europe/Berlin", ...more });
}

/** The same in short: `start until slug:expected …`, then the problems. */
function brief(body: string, more?: Parameters<typeof read>[1]): string[] {
  const { window, problems } = read(body, more);
  if (window === undefined) return problems;
  const sites = [...window.sites].map(([slug, expected]) => ` ${slug}:${expected}`);
  return [`${window.start} ${window.until}${sites.join("")}`, ...problems];
}

/** A body with lines in its comment. */
function body(...lines: string[]): string {
  return `<!--\n${lines.join("\n")}\n-->\n\nWe move.`;
}

const [START, END] = ["start: 2026-11-21T10:00:00Z", "end: 2026-11-21T12:00:00Z"];
const WHEN = "2026-11-21T10:00:00Z 2026-11-21T12:00:00Z";
const UNTOLD = "Cannot tell when the maintenance of issue #12 is:";

Deno.test("an issue in Upptime's format announces a maintenance window", () => {
  const sites = "expectedDown: google, hacker-news";
  const { window, problems } = read(
    `<!--\nstart: 2021-08-24T13:00:00.220Z\nend: 2021-08-24T14:00:00.220Z\n${sites}\n-->\n\n**Why**\nSo`,
    { title: "\u202e [Scheduled] Site\n down " },
  );
  assertEquals(problems, []);
  assertEquals(window, {
    source: "issue",
    name: "[Scheduled] Site down",
    start: Temporal.Instant.from("2021-08-24T13:00:00.220Z"),
    until: Temporal.Instant.from("2021-08-24T14:00:00.220Z"),
    sites: new Map([["google", "down" as const], ["hacker-news", "down" as const]]),
    issue: 12,
    text: "**Why**\nSo",
  });
});

const WINDOWS: readonly [body: string, expected: string, labels?: string[]][] = [
  [body(START, END), WHEN],
  [`<!--\r\n  START :2026-11-21T10:00:00Z  \r\n\r\n- **End**: ${END.slice(5)}\r\n-->`, WHEN],
  ["```html\n" + body(START, END) + "\n```", WHEN],
  [`Hello <!-- ${START}\n\`end\`: "2026-11-21 13:00" --> <!-- ${"start: x"} -->`, WHEN],
  [body("start：2026-11-21 11:00", "end：2026-11-21 12:00 UTC"), WHEN],
  [body("start: 2026-11-21T20:00:00.000+10:00", "end: 2026-11-21 12:00 UTC"), WHEN],
  [body("start: x", START, END), WHEN],
  [body(START, END, "color: red", "nothing", ":", "expectedDown:", "expectedDegraded: ,"), WHEN],
  [body("start: 2026-11-21", "end: 2026-11-22"), "2026-11-20T23:00:00Z 2026-11-21T23:00:00Z"],
  // Clocks skip 2:00 to 3:00, and show it twice.
  [
    body("start: 2027-03-28 02:30", "end: 2027-03-28 03:31"),
    "2027-03-28T01:30:00Z 2027-03-28T01:31:00Z",
  ],
  [
    body("start: 2026-10-25 02:30", "end: 2026-10-25 03:00"),
    "2026-10-25T00:30:00Z 2026-10-25T02:00:00Z",
  ],
  [
    body("start: 2028-02-29T00:00:00Z", "end: 2028-05-29T00:00:00Z"),
    "2028-02-29T00:00:00Z 2028-05-29T00:00:00Z",
  ],
  [
    body(
      START,
      END,
      "ExpectedDown: GOOGLE , Hacker News, google",
      "expected-degraded: google,élan",
    ),
    `${WHEN} google:down hacker-news:down élan:degraded`,
  ],
  [
    body(START, END, "expectedDegraded: Google,Shop EU,Hacker News"),
    `${WHEN} google:degraded hacker-news:degraded shop-eu:degraded`,
  ],
  [body(START, END, "expectedDown: shop-eu"), `${WHEN} shop-eu:down`],
  [body(START, END, "expectedDown: google"), `${WHEN} google:down hacker-news:none`, [
    ...["Google", "hacker-news", "bug"],
  ]],
  [body(START, END), `${WHEN} ${CONFIG.sites[4]!.slug}:none`, [CONFIG.sites[4]!.slug.slice(0, 50)]],
  [body(START, END, "expectedDown: maintenance"), `${WHEN} maintenance:down`],
];

Deno.test("a window is parsed from the first HTML comment of an issue, in any notation", () => {
  for (const [text, expected, labels] of WINDOWS) assertEquals(brief(text, { labels }), [expected]);
});

Deno.test("in a shared repository, an announcement that names only other folders' sites is ignored", () => {
  const part = { isPart: true };
  const others = body(START, END, "expectedDown: blog, gogle");
  assertEquals(read(others, part), { isElsewhere: true, problems: [] });
  assertEquals(read(body(START, END), { labels: ["blog"], ...part }), {
    isElsewhere: true,
    problems: [],
  });
  assertEquals(brief(body(START, END), part), [WHEN]);
  assertEquals(brief(body(START, END, "expectedDown: blog, google"), part), [
    `${WHEN} google:down`,
  ]);
  assertEquals(brief(others, { lacksSites: true, ...part }), [WHEN]);
  assertEquals(brief(others).length, 2);
});

Deno.test("the announcement in the docs is parsed as the docs say", async () => {
  const [example = ""] = blocksOf(await readDoc("docs/maintenance.md"), "markdown");
  const config = await configOf(
    ["Shop", "Forum", "Search"].map((name) => ({ name, url: "https://a.example/" })),
  );
  assertEquals(brief(example, { config, timezone: "UTC" }), [
    `${WHEN} shop:down forum:down search:degraded`,
  ]);
});

Deno.test("a time without an offset is in the time zone given, and in no other", () => {
  const text = body("start: 2026-11-21 10:00", "end: 2026-11-21T12:00:00Z");
  assertEquals(brief(text, { timezone: "UTC" }), [WHEN]);
  assertEquals(brief(text, { timezone: "Asia/Tokyo" }), [
    "2026-11-21T01:00:00Z 2026-11-21T12:00:00Z",
  ]);
});

const PROBLEMS: readonly [body: string, ...problems: string[]][] = [
  [
    "start: 2026-11-21\nend: 2026-11-22",
    `${UNTOLD} its text has no HTML comment; begin it with four lines: <!--, ${START}, ${END} and -->`,
  ],
  [
    `Hello\n\n<!-- Say when -->\n${body(START, END)}`,
    `${UNTOLD} its first HTML comment, in line 3, has no start; add a line "${START}" to it`,
    `${UNTOLD} its first HTML comment, in line 3, has no end; add a line "${END}" to it`,
  ],
  [
    body("begin: 2026-11-21", END),
    `${UNTOLD} its first HTML comment, in line 1, has no start; add a line "${START}" to it`,
  ],
  [
    body(START, "edn: 2026-11-22"),
    `${UNTOLD} its first HTML comment, in line 1, has no end; add a line "${END}" to it`,
    'Cannot use line 3 of issue #12: "edn" is no key, write end:',
  ],
  [
    body("start: \u202e<b>$1</b>\u0007 soon", "end:"),
    `${UNTOLD} line 2, start, is "<b>$1</b> soon"; write a time as 2026-11-21T10:00:00Z, or as 2026-11-21 10:00 in the time zone Europe/Berlin`,
    `${UNTOLD} line 3, end, is ""; write a time as 2026-11-21T12:00:00Z, or as 2026-11-21 12:00 in the time zone Europe/Berlin`,
  ],
  [
    body(START, "", "end: 2027-02-29 10:00"),
    `${UNTOLD} line 4, end, is "2027-02-29 10:00"; write a time as 2026-11-21T12:00:00Z, or as 2026-11-21 12:00 in the time zone Europe/Berlin`,
  ],
  [
    body(START, "end: 2026-11-21 11:00"),
    `${UNTOLD} line 3, end, is 2026-11-21 10:00 UTC, which is not after start, 2026-11-21 10:00 UTC in line 2; write a later end`,
  ],
  [
    body(END.replace("end", "start"), START.replace("start", "end")),
    `${UNTOLD} line 3, end, is 2026-11-21 10:00 UTC, which is not after start, 2026-11-21 12:00 UTC in line 2; write a later end`,
  ],
  [
    body(START, "end: 2027-02-19T10:00:01Z"),
    `${UNTOLD} line 3, end, is more than 90 days after start in line 2; write an earlier end, or set paused: true for sites that are not to be checked`,
  ],
  [
    body(START, END, "expectedDown: googel, hackernews,Shop EU , x", "expectedDegrade: google"),
    `${WHEN} shop-eu:down`,
    'Cannot use line 5 of issue #12: "expectedDegrade" is no key, write expectedDegraded:',
    'Cannot find what issue #12 names in line 4, expectedDown: "googel" (did you mean "google"?), "hackernews" (did you mean "hacker-news"?), "x"; write slugs or names of sites, with commas between them',
  ],
  [
    `Hi\n<!--\n${START}\n${END}\nThe rest`,
    WHEN,
    "Cannot see where the comment ends that begins in line 2 of issue #12; write --> after it, because nothing that follows is shown",
  ],
];

Deno.test("an unreadable announcement is reported with its issue, line and cure", () => {
  for (const [text, ...expected] of PROBLEMS) assertEquals(brief(text), expected);
});

Deno.test("an unknown site is no mistake if some sites of the configuration are invalid", () => {
  const text = body(START, END, "expectedDown: gone, google");
  assertEquals(brief(text, { lacksSites: true }), [`${WHEN} google:down`]);
});

Deno.test("the shown text of an issue excludes HTML comments", () => {
  const seen = (text: string) => read(body(START, END) + text).window!.text;
  assertEquals(seen("\r\n\r\n**Now**<!-- a\nb -->!\r\n"), "We move.\n\n**Now**!");
  assertEquals(seen("<!-->a<!--->b<!-- --- -->c<!-- "), "We move.abc<!--");
  assertEquals(seen("\nNow\n <!-- a\nb"), "We move.\nNow");
  assertEquals(seen("$1 <b>\u202e</b> \ud800"), "We move.$1 <b>\u202e</b> \ufffd");
  assertEquals(read(body(START, END), { title: "\u202e" }).window!.name, "Maintenance");
});

Deno.test("any text is read without an exception, and what is read can be stored", () => {
  const bit = fc.oneof(
    hostileText(),
    fc.constantFrom("<!--", "-->", "\n", "\r\n", START, END, "start:", "end: ", "expectedDown: "),
    fc.constantFrom("google", ",", ":", "2026-11-21", "\ud800", "\0", "- "),
  );
  const text = fc.array(bit, { maxLength: 30 }).map((bits) => bits.join(""));
  const begun = fc.tuple(fc.boolean(), text).map(([isBegun, rest]) =>
    isBegun ? `${body(START, END)}${rest}` : rest
  );
  fc.assert(
    fc.property(begun, hostileText(), (text, title) => {
      const { window, problems } = read(text, { title });
      for (const problem of problems) {
        assertMatch(problem, /^Cannot [^\n\r\u202e]*#12[^\n\r\u202e]*$/);
      }
      if (window === undefined) return assert(problems.length > 0);
      const maintenance = { kind: "maintenance" as const, ...window, updates: [] };
      assertEquals(parseMaintenance(formatMaintenance(maintenance)), maintenance);
    }),
  );
});

Deno.test("announcements of 60 KB of any text are parsed", () => {
  const fill = (unit: string) => unit.repeat(Math.ceil(60_000 / unit.length));
  const units = [
    "<!--",
    "-->",
    "<!-",
    "a",
    " ",
    "\n",
    "\r",
    ":",
    "start:",
    "end\n",
    ", ",
    "x,",
    "$&",
  ];
  for (const unit of [...units, "\u202e", "start: 2026-11-21\n", "edn\n", "-", "'\"", "google,"]) {
    read(fill(unit));
    read(`<!--${fill(unit)}`);
    read(body(START, END, fill(unit)));
    read(body(START, END, `expectedDown: ${fill(unit)}`));
    read(body(`start: ${fill(unit)}`, END));
  }
});
