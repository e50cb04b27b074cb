/** The benchmark: the real program with a year of history, against local servers with known response times. */
import { paint, renderPaint, withPaint } from "../../lib/text/paint.ts";
import { VERSION } from "../../lib/version.ts";
import { checkouts } from "./checkouts.ts";
import { tableLines } from "./figures.ts";
import { firstChecks } from "./first_checks.ts";
import { graphs } from "./graphs.ts";
import { locations } from "./locations.ts";
import { hasCurl } from "./measure_curl.ts";
import { measuredTimes } from "./measured_times.ts";
import { page } from "./page.ts";
import type { BenchPart } from "./part.ts";
import { growth, scale } from "./scale.ts";
import { rules } from "./rules.ts";
import { startServers } from "./servers.ts";
import { simulatedYear } from "./simulated_year.ts";
import { statistics } from "./statistics.ts";
import { watch } from "./watch.ts";
import { wholeUpdates } from "./whole_updates.ts";

const PARTS: Readonly<Record<string, BenchPart>> = {
  updates: wholeUpdates,
  times: measuredTimes,
  first: firstChecks,
  watch,
  scale,
  growth,
  rules,
  locations,
  statistics,
  graphs,
  checkouts,
  page,
  year: simulatedYear,
};
const QUICK = "--quick";

const USAGE = `deno task bench [${Object.keys(PARTS).join("] [")}] [${QUICK}]

Without a name all parts are measured, in about half an hour, most of it for the year; ${QUICK} measures
each once, and the year by a month of it.`;

async function bench(args: readonly string[]): Promise<number> {
  const names = args.filter((arg) => arg !== QUICK);
  if (names.some((name) => !Object.hasOwn(PARTS, name))) {
    say(USAGE);
    return 2;
  }
  const curl = await hasCurl();
  const quick = args.includes(QUICK);
  const runs = quick ? 1 : 3;
  say(
    `Monitor Action ${VERSION}, Deno ${Deno.version.deno}, ${navigator.hardwareConcurrency} processors` +
      ` shared with the servers, ${runs} run${runs === 1 ? "" : "s"} a figure`,
  );
  if (!curl) {
    say(paint.red("There is no /usr/bin/curl: nothing to compare the measured times with."));
  }

  await using servers = await startServers();
  for (const name of names.length === 0 ? Object.keys(PARTS) : names) {
    const { title, note, measure } = PARTS[name]!;
    const rows = await measure({ servers, curl, runs, quick, progress });
    progress("");
    say(`\n${paint.cyan(title)}\n${paint.dim(note)}\n`);
    for (const line of tableLines(rows)) say(painted(line));
  }
  return 0;
}

function painted(line: string): string {
  const marked = line.replaceAll(/✓ ≤ [\d.]+(?: \w+)?/g, (aim) => paint.green(aim))
    .replaceAll(/✗ ≤ [\d.]+(?: \w+)?/g, (aim) => paint.red(aim));
  return `  ${marked}`;
}

/** One line that each step overwrites; nothing without a terminal. */
function progress(text: string): void {
  if (!Deno.stderr.isTerminal()) return;
  const line = text === "" ? "" : paint.dim(`measuring ${text} …`);
  Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${renderPaint(line)}`));
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${renderPaint(text)}\n`));
}

const colors = Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR");
Deno.exit(await withPaint(colors, () => bench(Deno.args)));
