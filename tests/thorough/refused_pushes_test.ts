import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { alertRig, listMessages } from "../helpers/alert_rig.ts";
import { allRowsAt, cloneRemote, incidentsAt, writeHook } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { runTask } from "../helpers/program.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

/** A monitored clone with a channel, whose remote can be made to refuse all pushes. */
async function refusingRig() {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const hook = stack.use(await vendorServer({ status: 204 }));
  const rig = stack.use(
    await alertRig(scratch, {
      notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
    }),
  );
  const resources = stack.move();
  return {
    ...rig,
    scratch,
    /** The messages, with the start that they tell. */
    messages: () =>
      // deno-lint-ignore no-explicit-any
      hook.seen.map(({ json }) => json.events.map((event: any) => [event.id, event.since])),
    listed: () => listMessages(hook),
    refuse: (script = "echo No entry >&2; exit 1") => writeHook(rig.remote, "pre-receive", script),
    accept: () => Deno.remove(join(rig.remote, "hooks/pre-receive")),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

Deno.test("while a remote refuses every push, a clone sends each message once, and pushes everything later", async () => {
  for (const isUpBefore of [false, true]) {
    await using rig = await refusingRig();
    const { update, turn, remote, listed, refuse, accept } = rig;
    await update();
    await refuse();
    turn(503);
    for (let run = 1; run <= 4; run++) {
      const { code, stderr } = await update();
      assertEquals(code, 1);
      const text = stderr.replace(/\s+/g, " ");
      assertStringIncludes(text, "The results were not recorded: Cannot push to main at origin");
      assertStringIncludes(text, "No entry");
      assertStringIncludes(text, "they wait in a file on this machine");
      assertEquals(listed(), ["shop down"]);
    }
    if (isUpBefore) {
      turn(200);
      for (let run = 1; run <= 2; run++) assertEquals((await update()).code, 1);
      assertEquals(listed(), ["shop down", "shop up"]);
    }
    await accept();
    assertEquals((await update()).code, 0);
    turn(200);
    assertEquals((await update()).code, 0);
    assertEquals((await update()).stderr, "");
    assertEquals(listed(), ["shop down", "shop up"]);
    const rows = await allRowsAt(remote);
    assertEquals(rows.map(({ state }) => state), [
      "up",
      ...Array(4).fill("down"),
      ...isUpBefore ? ["up", "up", "up", "up", "up"] : ["down", "up", "up"],
    ]);
    const incidents = await incidentsAt(remote, "main");
    assertEquals(incidents.map(({ end }) => end !== undefined), [true]);
    assertEquals(incidents[0]!.start, rows[1]!.time.add(incidents[0]!.start.since(rows[1]!.time)));
    assertEquals(await git(rig.folder, "status", "--porcelain"), "");
  }
});
