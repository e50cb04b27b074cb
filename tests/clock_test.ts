import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { startOfTests } from "./helpers/calendar.ts";
import { output, PROJECT, spawnModule } from "./helpers/program.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { systemClock } from "../lib/io/clock.ts";

/** Tests and helpers that use the date of the machine, and why it is their subject. */
const MACHINE_DATE: Readonly<Record<string, string>> = {
  "tests/commands/certificates_test.ts": "certificates: TLS libraries use the machine's date",
  "tests/commands/validate_test.ts": "certificates: TLS libraries use the machine's date",
  "tests/helpers/calendar.ts": "moves the date",
  "tests/helpers/certificates.ts": "certificates: TLS libraries use the machine's date",
  "tests/helpers/github/faults.ts":
    "compared with the header Date, in which Deno sends the machine's",
  "tests/helpers/mail_run.ts": "certificates: TLS libraries use the machine's date",
  "tests/helpers/on_call_player.ts": "certificates: TLS libraries use the machine's date",
  "tests/helpers/sites.ts": "certificates: TLS libraries use the machine's date",
  "tests/lib/checks/ssl_test.ts": "certificates: TLS libraries use the machine's date",
  "tests/lib/github/github_unreachable_test.ts":
    "certificates: TLS libraries use the machine's date",
  "tests/lib/io/interruption_test.ts": "a program that reads no date",
  "tests/thorough/png_test.ts": "a program that reads no date",
  "tests/thorough/validate_test.ts": "certificates: TLS libraries use the machine's date",
};

/** Programs for people, and system tests with browsers, mail servers, bundles and npm. */
const APART = /^tests\/(?:bench|demo|system|testdata)\/|^tests\/run\.ts$|bundle_program\.ts$/;

/** Deno started without the flags that move its date, or the clock named so. */
const READS_MACHINE_DATE = /\bmachineClock\b|^(?!.*\bcalendarFlags\b).*\bDeno\.execPath\(\)/s;

Deno.test("tests, the program and what they start have one fixed date, whatever the machine's is", async () => {
  await using scratch = await makeScratch();
  await scratch.write(
    "now.ts",
    "console.log(JSON.stringify([Temporal.Now.instant(), new Date(), new Date(Date.now())]));\n",
  );
  const child = await output(spawnModule(join(scratch.path, "now.ts"), undefined));
  const { Now } = Temporal;
  const times = [
    ...[Now.instant(), systemClock.now(), new Date(), new Date(Date.now())].map(String),
    ...[Now.zonedDateTimeISO("UTC").toInstant(), `${Now.plainDateTimeISO("UTC")}Z`].map(String),
    `${Now.plainDateISO("UTC")}T${Now.plainTimeISO("UTC")}Z`,
    ...JSON.parse(child.stdout),
  ];
  for (const time of times) {
    const minutes = (Date.parse(time) - startOfTests().epochMilliseconds) / 60_000;
    assert(minutes >= 0 && minutes < 60, `${time}: run tests by deno task test`);
  }
  assertEquals(new Date("2020-02-29").toISOString(), "2020-02-29T00:00:00.000Z");
  assert(new Date() instanceof Date);
});

Deno.test("only tests about the machine's date have it", async () => {
  const found: string[] = [];
  const search = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
      const path = `${folder}/${name}`;
      if (APART.test(isDirectory ? `${path}/` : path)) continue;
      if (isDirectory) await search(path);
      else if (/\.(?:tsx?|m?js)$/.test(name) && path !== "tests/clock_test.ts") {
        const text = await Deno.readTextFile(join(PROJECT, path));
        if (READS_MACHINE_DATE.test(text)) found.push(path);
      }
    }
  };
  await search("tests");
  assertEquals(found.sort(), Object.keys(MACHINE_DATE).sort(), "see MACHINE_DATE");
});
