import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeScratch } from "../helpers/scratch.ts";
import { runTask } from "../helpers/program.ts";
import { watching } from "../helpers/watching.ts";

const SECRETS = { BACKUP: "f00dfacef00dfacef00dface", LINK: "cafecafecafecafecafecafe" };

const CONFIG = `canaries: []
interval: 10
sites:
  - { name: Backup, check: heartbeat, every: 1h, grace: 10m, endpoint: $BACKUP }
  - { name: Link, check: heartbeat, every: 1h, endpoint: $LINK, acceptGet: true }
  - { name: Short, check: heartbeat, every: 1h, endpoint: $SHORT }
`;

Deno.test("watch accepts heartbeats over HTTP, and keeps them after a restart", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  const env = { SECRETS_CONTEXT: JSON.stringify({ ...SECRETS, SHORT: "tooshort" }) };
  const stdout = { text: "" };
  const states = async () => {
    const { stdout } = await runTask("status", { folder: scratch.path, args: ["--json"] });
    const { sites } = JSON.parse(stdout);
    return sites.map(({ state }: { state: string | null }) => state);
  };
  const send = async (path: string, method = "POST", query = "") => {
    const [, base] = /Beats: (http:\S+\/beat\/)SECRET/.exec(stdout.text)!;
    const answer = await fetch(base + path + query, { method });
    await answer.body?.cancel();
    return answer.status;
  };
  const { BACKUP, LINK } = SECRETS;
  const seen: unknown[] = [];
  const ended = await watching(scratch.path, async ({ runs, clock, stop }) => {
    if (runs === 1) {
      seen.push(await states());
      // Unknown addresses, and methods that previews of links use.
      // An empty word may be an exit code that is missing.
      for (
        const path of [
          "",
          "x",
          `${BACKUP}/`,
          "f00dfacef00dfacef00dfac",
          `${BACKUP}/256`,
          `${BACKUP}/ok/x`,
        ]
      ) {
        assertEquals(await send(path), 404, path);
      }
      assertEquals(await send("tooshort"), 404);
      assertEquals([await send(BACKUP, "GET"), await send(BACKUP, "HEAD")], [405, 405]);
      assertEquals(await send(BACKUP, "POST", "?duration=soon"), 400);
      assertEquals([await send(LINK, "HEAD"), await send(LINK, "PUT")], [200, 405]);
      assertEquals(await send(`${BACKUP}/start`), 200);
    }
    if (runs === 2) {
      seen.push(await states());
      assertEquals(await send(BACKUP, "POST", "?duration=90s"), 200);
    }
    if (runs === 3) {
      seen.push(await states());
      assertEquals(await send(`${BACKUP}/7`), 200);
    }
    if (runs === 4) {
      seen.push(await states());
      assertEquals(await send(`${BACKUP}/0`), 200);
      clock.pass(3_600_000);
    }
    if (runs === 5) {
      seen.push(await states());
      const many = await Promise.all(Array.from({ length: 40 }, () => send(BACKUP)));
      const counts = [200, 429].map((status) => many.filter((one) => one === status).length);
      assertEquals(counts, [30, 10]);
      // No run follows: the received heartbeats must be stored at the next start.
      stop();
    }
  }, { args: ["--beats", "0"], env, stdout });
  assertEquals(ended.code, 0, ended.stderr);
  assertEquals(seen, [
    ["unknown", "unknown", "unknown"],
    ["unknown", "up", "unknown"],
    ["up", "up", "unknown"],
    ["down", "up", "unknown"],
    ["up", "up", "unknown"],
  ]);
  assertStringIncludes(ended.stdout, "Backup is down");
  for (const secret of Object.values(SECRETS)) assert(!ended.stdout.includes(secret));

  // Another command in this folder reads the received heartbeats.
  const { stdout: checked } = await runTask("check", {
    folder: scratch.path,
    env,
    args: ["Backup"],
  });
  assertMatch(checked, /read endpoint\n +→ ok at /);

  const later = await watching(scratch.path, async ({ runs, stop }) => {
    if (runs === 1) seen.push(await states());
    stop();
  }, { args: ["--beats", "0"], env, stdout, later: 4_400_000 });
  assertEquals(later.code, 0, later.stderr);
  assertEquals(seen.at(-1), ["up", "down", "unknown"]);
});

Deno.test("without the endpoint, a job that sends heartbeats only there is unknown", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  const env = { SECRETS_CONTEXT: JSON.stringify(SECRETS) };
  const { stdout } = await runTask("update", { folder: scratch.path, env });
  assertStringIncludes(stdout, "its endpoint is served by watch --beats only");
});
