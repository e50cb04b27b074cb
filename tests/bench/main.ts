/** The benchmark: the real program, with histories of many sites and local servers. */
import { paint, renderPaint, withPaint } from "../../lib/text/paint.ts";
import { VERSION } from "../../lib/version.ts";
import { checkouts } from "./checkouts.ts";
import { tableLines } from "./figures.ts";
import { locations } from "./locations.ts";
import type { BenchPart } from "./part.ts";
import { rules } from "./rules.ts";
import { scale } from "./scale.ts";
import { startServers } from "./servers.ts";
import { watch } from "./watch.ts";

const PARTS: Readonly<Record<string, BenchPart>> = { scale, watch, checkouts, rules, locations };
const QUICK = "--quick";

const USAGE = `deno task bench [${Object.keys(PARTS).join("] [")}] [${QUICK}]

Without a name all parts are measured, in about a quarter of an hour; ${QUICK} measures each once.`;

async function bench(args: readonly string[]): Promise<number> {
  const names = args.filter((arg) => arg !== QUICK);
  if (names.some((name) => !Object.hasOwn(PARTS, name))) {
    say(USAGE);
    return 2;
  }
  const quick = args.includes(QUICK);
  const runs = quick ? 1 : 3;
  say(
    `Monitor Action ${VERSION}, Deno ${Deno.version.deno}, ${navigator.hardwareConcurrency} processors` +
      ` shared with the servers, ${runs} run${runs === 1 ? "" : "s"} a figure`,
  );

  await using servers = await startServers();
  for (const name of names.length === 0 ? Object.keys(PARTS) : names) {
    const { title, note, measure } = PARTS[name]!;
    const rows = await measure({ servers, runs, quick, progress });
    progress("");
    say(`\n${paint.cyan(title)}\n${paint.dim(note)}\n`);
    for (const line of tableLines(rows)) say(`  ${line}`);
  }
  return 0;
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
