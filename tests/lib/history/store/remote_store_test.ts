import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { RemoteError } from "../../../../lib/git/remote.ts";
import { findRepository } from "../../../../lib/git/repository.ts";
import { RemoteStore } from "../../../../lib/history/store/remote_store.ts";
import type { Change } from "../../../../lib/history/store/store.ts";
import { NOW } from "../../../helpers/outcomes.ts";
import { cloneRemote, pathsAt, writeHook } from "../../../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../../../helpers/scratch.ts";
import { StillClock } from "../../../helpers/still_clock.ts";

const CHANGE: Change = {
  run: "9f3c01ab",
  time: NOW,
  files: new Map([["history/a.yml", "a\n"]]),
  message: "Check 1 site",
  author: { name: "Jo", email: "jo@example.com" },
};

/** A clock on which something happens in each wait, given its number from 1. */
class EventfulClock extends StillClock {
  constructor(readonly happens: (wait: number) => Promise<unknown>) {
    super();
  }

  override async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await super.wait(milliseconds, signal);
    await this.happens(this.waits.length);
  }
}

async function storeOf(scratch: Scratch, clock: StillClock) {
  const remote = await makeRemote(scratch.path, { "readme": "" });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const repository = (await findRepository(clone))!;
  const store = new RemoteStore({ ...repository, remote: repository.remote! }, {
    clock,
    warn: () => {},
    exclusively: (action) => action(),
  });
  return { store, remote, clone };
}

function assertNear(waits: readonly number[], expected: readonly number[]): void {
  assertEquals(waits.length, expected.length);
  expected.forEach((one, index) => assert(Math.abs(waits[index]! - one) <= 0.2 * one, `${waits}`));
}

Deno.test("retries of a remote that does not answer have growing delays, and end", async () => {
  await using scratch = await makeScratch();
  const clock = new StillClock();
  const { store, clone } = await storeOf(scratch, clock);
  await git(clone, "remote", "set-url", "origin", join(scratch.path, "gone.git"));
  const error = await assertRejects(
    () => store.publish(() => Promise.resolve(CHANGE)),
    RemoteError,
  );
  assert(error.message.startsWith("Cannot fetch from origin: "), error.message);
  assertNear(clock.waits, [500, 2_000, 4_000]);
});

Deno.test("a remote that answers again receives everything", async () => {
  await using scratch = await makeScratch();
  const gone = join(scratch.path, "gone.git");
  const clock = new EventfulClock((wait) =>
    wait === 3 ? Deno.rename(gone, remote) : Promise.resolve()
  );
  const { store, remote } = await storeOf(scratch, clock);
  await store.read();
  await Deno.rename(remote, gone);
  const { commit, place } = await store.publish(() => Promise.resolve(CHANGE));
  assertNear(clock.waits, [500, 2_000, 4_000]);
  assertEquals(await git(remote, "rev-parse", "main"), commit);
  assertEquals([await pathsAt(remote, "main"), place], [
    ["history/a.yml", "readme"],
    "branch main at origin",
  ]);
});

Deno.test("a branch that refuses commits is tried again in the same process", async () => {
  await using scratch = await makeScratch();
  const { store, remote } = await storeOf(scratch, new StillClock());
  const pending = new Map([["memory.json", "{}\n"]]);
  const publish = () =>
    store.publish(({ capabilities: { commits } }) =>
      Promise.resolve({ ...CHANGE, files: commits ? CHANGE.files : new Map(), pending })
    );
  await writeHook(remote, "update", 'test "$1" != refs/heads/main');
  const { place, refused } = await publish();
  assertEquals(place, "refs/monitor/pending at origin");
  assertStringIncludes(refused!.message, "Cannot push to main at origin: the remote refused");
  await Deno.remove(join(remote, "hooks/update"));
  const again = await publish();
  assertEquals([again.place, again.refused], ["branch main at origin", undefined]);
  assertEquals(await pathsAt(remote, "main"), ["history/a.yml", "readme"]);
});
