import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../../helpers/program.ts";
import { configText, makeRepository } from "../../helpers/repositories.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { httpServer } from "../../helpers/servers.ts";

/** Secrets that are everyday words, among them one in its own name and one of the warning itself. */
const EVERYDAY = { DEBUG: "true", MAIN: "main", SCHEME: "http", WORD: "Word", YEAR: "2026" };

Deno.test("a secret that is an everyday word is named once by update, validate and doctor", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": configText({ Shop: site.url }),
  });
  const names = "DEBUG, MAIN, SCHEME, WORD and YEAR";
  const warning = `secrets ${names} are everyday words and redacted wherever these occur: ` +
    "choose a longer value, or write it into the configuration if it is no secret";
  const secrets = { ...EVERYDAY, PASS: "hunter2", PIN: "4711", SHORT: "a", NAME: "correcthorse" };
  for (const task of ["update", "validate", "doctor"]) {
    for (const onGitHub of ["true", "false"]) {
      for (const given of [secrets, { PASS: "hunter2" }]) {
        const { stdout, stderr } = await runTask(task, {
          folder,
          env: { SECRETS_CONTEXT: JSON.stringify(given), GITHUB_ACTIONS: onGitHub },
        });
        const shown = (stdout + stderr).replaceAll(/\s+(?!::)/g, " ");
        const times = given === secrets ? 1 : 0;
        assertEquals(shown.split(warning).length - 1, times, `${task}\n${shown}`);
        assertEquals(shown.includes("everyday"), times === 1);
        const rest = shown.replaceAll(/::add-mask::\S*/g, "").replace(warning, "");
        if (given === secrets) assert(!/true|http|2026/.test(rest), rest);
      }
    }
  }
  const { stdout } = await runTask("validate", {
    folder,
    args: ["--json"],
    env: { SECRETS_CONTEXT: JSON.stringify({ DEBUG: "true" }) },
  });
  assertEquals(
    JSON.parse(stdout).everyday,
    "secret DEBUG is an everyday word and redacted wherever that word occurs: " +
      "choose a longer value, or write it into the configuration if it is no secret",
  );
});
