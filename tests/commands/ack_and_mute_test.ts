import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

/** A monitor of three sites with a webhook, in a folder without git. */
async function watchedFolder(stack: AsyncDisposableStack) {
  const scratch = stack.use(await makeScratch());
  const hook = stack.use(await vendorServer({ status: 200 }));
  const rig = stack.use(
    await makeRig(scratch, {
      git: false,
      sites: { Shop: {}, Blog: {}, "My Mail": {} },
      notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
    }),
  );
  return {
    rig,
    /** Makes a run, and returns what the webhook got. */
    async update(): Promise<string[]> {
      assertEquals((await rig.update()).stderr, "");
      const messages = listMessages(hook);
      hook.seen.splice(0);
      return messages;
    },
    /** Runs a command in the name of Ann. */
    run: (command: "ack" | "mute", ...args: string[]) =>
      rig.run(command, { args: [...args, "--by", "Ann"] }),
  };
}

/** The lines of what was printed, with dates and times of a fixed text. */
function linesOf(printed: string): string[] {
  return printed.trim().replaceAll(/\d{4}-\d\d-\d\d(?: \d\d:\d\d UTC)?/g, "TIME").split("\n");
}

Deno.test("ack takes several names, or all incidents that are open", async () => {
  await using stack = new AsyncDisposableStack();
  const { rig, run, update } = await watchedFolder(stack);
  await update();
  const none = await run("ack", "--all");
  assertEquals(
    [none.code, none.stderr],
    [2, "error: Nothing to acknowledge: no incident is open\n"],
  );
  rig.turn(503);
  await update();
  // One unknown name, and nothing is done.
  const wrong = await run("ack", "Shop", "Blgo");
  assertEquals(wrong.code, 2);
  assertMatch(wrong.stderr, /^error: Cannot find an open incident "Blgo": did you mean "Blog"\? /);
  const both = await run("ack", "Shop", "--all");
  assertEquals([both.code, both.stdout], [2, ""]);
  assertStringIncludes((await run("ack")).stderr, "name some, or use --all");
  assertEquals((await rig.run("status", { args: ["--json"] })).stdout.includes("Ann"), false);

  const some = await run("ack", "Shop", "my mail", "shop", "--for", "2h");
  assertEquals([some.code, some.stderr], [0, ""]);
  assertEquals(linesOf(some.stdout).slice(0, -1), [
    "Ann has acknowledged TIME-shop for 2 hours.",
    "Ann has acknowledged TIME-my-mail for 2 hours.",
  ]);
  const all = await rig.run("ack", { args: ["--all", "--by", "Bob"] });
  assertEquals(linesOf(all.stdout).slice(0, -1), [
    "Ann has acknowledged TIME-shop before; Bob is recorded as well.",
    "Bob has acknowledged TIME-blog for 4 hours.",
    "Ann has acknowledged TIME-my-mail before; Bob is recorded as well.",
  ]);
  const { acknowledged, commit } = JSON.parse((await run("ack", "Blog", "--json")).stdout);
  assertEquals([acknowledged.length, commit], [1, null]);
  assertMatch(acknowledged[0].id, /^\d{4}-\d\d-\d\d-blog$/);
  rig.turn(200, "Shop");
  await update();
  assertMatch(
    (await run("ack", "Shop")).stderr,
    /^error: Cannot find an open incident "Shop": open/,
  );
});

Deno.test("mute silences sites until its time is over or it is ended, also those that fail later", async () => {
  await using stack = new AsyncDisposableStack();
  const { rig, run, update } = await watchedFolder(stack);
  const early = await run("mute", "Shop", "--for", "2h");
  assertEquals(early.code, 2);
  assertMatch(early.stderr, /^error: Cannot mute yet: no run has recorded anything here\n$/);
  await update();
  for (
    const [args, message] of [
      [["Shop"], "--for is missing"],
      [["Shop", "--for", "1s"], "Cannot mute for 1s: use a duration from 1m to 30d"],
      [["Shop", "--for", "2h", "--end"], "Cannot use --for with --end"],
      [["--for", "2h"], "name sites, or use --all, and not both (the sites are Shop, Blog"],
      [["Shop", "--all", "--for", "2h"], "name sites, or use --all, and not both"],
      [["Shop", "Blgo", "--for", "2h"], 'Cannot find a site "Blgo": did you mean "Blog"?'],
      [["--all", "--end"], "Nothing to unmute: no site is muted"],
      [["Shop", "Blog", "--end"], "Nothing to unmute: none of Shop, Blog is muted"],
    ] as const
  ) {
    const { code, stdout, stderr } = await run("mute", ...args);
    assertEquals([code, stdout], [2, ""], stderr);
    assertStringIncludes(stderr, message);
  }
  const muted = await run("mute", "Shop", "my mail", "--for", "2h");
  assertEquals(linesOf(muted.stdout)[0], "Muted by Ann until TIME: Shop, My Mail.");
  rig.turn(503);
  assertEquals(await update(), ["blog down"]);
  assertEquals(await update(), []);

  const shown = await rig.run("status");
  assertEquals(linesOf(shown.stdout).filter((line) => line.startsWith("Muted")), [
    "Muted by Ann until TIME: Shop",
    "Muted by Ann until TIME: My Mail",
  ]);
  const ended = await run("mute", "Shop", "Blog", "--end");
  assertEquals(linesOf(ended.stdout).slice(0, 2), ["Blog is not muted.", "No longer muted: Shop."]);
  assertEquals(await update(), ["shop down"]);
  const all = JSON.parse((await run("mute", "--all", "--for", "90m", "--json")).stdout);
  assertEquals([all.muted, all.by], [["shop", "blog", "my-mail"], "Ann"]);
  rig.turn(200);
  assertEquals(await update(), []);
  assertEquals(JSON.parse((await run("mute", "--all", "--end", "--json")).stdout), {
    unmuted: ["blog", "my-mail", "shop"],
    commit: null,
  });
  assertEquals((await update()).toSorted(), ["blog up", "shop up"]);
  assertEquals((await rig.run("state")).stdout.includes("Muted"), false);
});
