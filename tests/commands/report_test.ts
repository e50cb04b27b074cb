import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv/parse";
import { runTask } from "../helpers/program.ts";
import { rendered } from "../helpers/rendered_markdown.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { writeHistory } from "../helpers/written_history.ts";
import { thoroughly } from "../helpers/thorough.ts";

const CONFIG = `owner: acme
repo: status
timezone: Europe/Berlin
slo: 99.9
sites:
  - { name: Shop, url: https://shop.example.com }
  - { name: "=1+1 | <b>", slug: odd, url: https://odd.example.com }
`;

const at = (text: string) => Temporal.Instant.from(text);

/** Some days before and after the end of March, whose last Sunday is an hour shorter in Berlin. */
const KNOWN = { from: at("2025-03-27T00:00:00Z"), to: at("2025-04-02T00:00:00Z") };
const OUTAGE = { from: at("2025-03-31T21:00:00Z"), to: at("2025-03-31T23:00:00Z"), issue: 7 };

Deno.test("report prints a month in its zone, as a document and as tables", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  await writeHistory(scratch.path, [{ slug: "shop", outages: [OUTAGE] }, { slug: "odd" }], KNOWN);
  const run = (...args: string[]) => runTask("report", { folder: scratch.path, args });

  const { code, stdout, stderr } = await run("--month", "2025-03");
  assertEquals([code, stderr], [0, ""]);
  assertMatch(
    stdout,
    /^# Uptime in March 2025\n\n- Monitor: \[acme\/status\]\(https:\/\/github\.com\/acme\/status\)\n/,
  );
  assertStringIncludes(stdout, "from 2025-03-01 00:00 to 2025-04-01 00:00, Europe/Berlin");
  // The month ends at 22:00 UTC: half of the outage lies in it.
  assertMatch(
    stdout,
    /^\| Shop \| 99\.1\d% \| 100% \| 1 hour \| 1 \| 1 hour \| .* \| 99\.9%: missed \| 1 hour of 7 minutes, /m,
  );
  assertStringIncludes(
    stdout,
    "| Shop | 2025-03-31 23:00 | 2025-04-01 01:00 | 2 hours (1 hour of it in this month) | down | connection refused | [#7](https://github.com/acme/status/issues/7) |",
  );
  assertEquals(rendered(stdout).elements.filter((name) => name === "table").length, 2);

  const csv = await run("--month", "2025-03", "--format", "csv");
  assertEquals([csv.code, csv.stderr], [0, ""]);
  const [header, shop, odd] = parse(csv.stdout);
  const cell = (name: string) => shop![header!.indexOf(name)];
  assertEquals([cell("from"), cell("to")], [
    "2025-03-01T00:00:00+01:00",
    "2025-04-01T00:00:00+02:00",
  ]);
  assertEquals([cell("down_s"), cell("slo_met"), odd![0]], ["3600", "false", "'=1+1 | <b>"]);
  const incidents = parse((await run("--month", "2025-03", "--format", "csv-incidents")).stdout);
  assertEquals(incidents.map(([site]) => site), ["site", "Shop"]);

  const data = JSON.parse((await run("--month", "2025-04", "--json")).stdout);
  assertEquals([data.from, data.sites[0].down], ["2025-03-31T22:00:00.000Z", 3600]);
});

thoroughly(
  "report says what is wrong with a month or a format, and what there is none of",
  async () => {
    await using scratch = await makeScratch();
    await scratch.write(".monitorrc.yml", CONFIG);
    const run = (...args: string[]) => runTask("report", { folder: scratch.path, args });
    const wrong: [args: string[], error: RegExp][] = [
      [
        ["--month", "2026-13"],
        /^error: Cannot report the month "2026-13": expected a year and a month, such as --month \d{4}-\d\d\n$/,
      ],
      [["--month", "March"], /^error: Cannot report the month "March": /],
      [["--month", ""], /^error: Cannot use --month: it needs a value\n$/],
      [
        ["--format", "cvs"],
        /^error: Cannot write "cvs": did you mean "csv"\? the formats are markdown, csv, csv-incidents\n$/,
      ],
      [
        ["--format", "csv", "--json"],
        /^error: Cannot use --format with --json: choose one of them\n$/,
      ],
      [["--channel", "1"], /^error: Cannot use --channel with report: it is for notify-test\n$/],
      [["March"], /^error: Cannot run "report March": /],
    ];
    for (const [args, error] of wrong) {
      const { code, stdout, stderr } = await run(...args);
      assertEquals([code, stdout], [2, ""], stderr);
      assertMatch(stderr, error);
    }
    const past = await run("--month", "2020-02");
    assertEquals([past.code, past.stderr], [0, ""]);
    assertStringIncludes(past.stdout, "No check of this month is known");
    const future = await run("--month", "9000-01", "--format", "csv");
    assertEquals(future.code, 0);
    assertEquals(
      future.stderr,
      "warning: 9000-01: This month has not begun yet: there is nothing to report.\n",
    );
    assertEquals(parse(future.stdout).length, 3);
    const usual = await run("--quiet");
    assertMatch(usual.stdout, /^# Uptime in \w+ \d{4}\n/);
    const now = new Date().toISOString().slice(0, 7);
    assert((await run("--month", now)).stdout.includes(", so far\n"));
  },
);
