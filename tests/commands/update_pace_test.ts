import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig } from "../helpers/alert_rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

const API = "/repos/acme/status";

/** Names of so many sites. */
function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Site ${index + 1}`);
}

/** Sites, a webhook and GitHub, whose answers take 80 ms, and what happens at the two, in its order. */
async function rig(count: number, top: Record<string, unknown> = {}) {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const github = stack.use(await githubServer());
  const order: string[] = [];
  const texts: string[] = [];
  const hook = stack.use(httpServer(async (request) => {
    order.push("message");
    texts.push(await request.text());
    return new Response();
  }));
  const sites = Object.fromEntries(names(count).map((name) => [name, {}]));
  const notifications: Notification[] = [{ type: "webhook", url: hook.url, on: ["down"] }];
  const scene = stack.use(await alertRig(scratch, { sites, notifications, top }));
  github.onRequest = async ({ method, path }, stage) => {
    if (stage === "came") order.push(`${method} ${path.slice(API.length)}`);
    else await new Promise((resolve) => setTimeout(resolve, 80));
  };
  const resources = stack.move();
  return {
    github,
    order,
    texts,
    turn: scene.turn,
    update: () => scene.update({ env: github.env }),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

Deno.test("after a confirmation the issue comes first and the workflows last, without waits; labels are described once a week", async () => {
  await using scene = await rig(2);
  const { github, order, texts, turn, update } = scene;
  assertEquals((await update()).code, 0);
  order.length = 0;
  turn(503, "Site 1");
  let last = 0;
  github.onRequest = ((before) => async (request, stage) => {
    if (last === 0 && request.path.endsWith("/user")) last = performance.now();
    return await before(request, stage);
  })(github.onRequest);
  assertEquals((await update()).code, 0);
  const took = performance.now() - last;
  // Eight answers of 80 ms one after the other, and a push; with a second between the writes it would be six seconds.
  assert(took < 3_000, `the run ended ${took} ms after its first request for the issue`);
  const writes = order.filter((one) => !one.startsWith("GET"));
  assertEquals(writes[0], "POST /issues");
  assertEquals(writes.slice(-2), ["POST /dispatches", "POST /dispatches"]);
  assertEquals([...writes].sort(), [
    "PATCH /labels/site-1",
    "PATCH /labels/status",
    "POST /dispatches",
    "POST /dispatches",
    "POST /issues",
    "PUT /issues/1/lock",
    "message",
  ]);
  assert(texts[0]!.includes("/issues/1"), texts[0]);

  turn(503, "Site 2");
  const { length } = order;
  assertEquals((await update()).code, 0);
  assertEquals(order.slice(length).filter((one) => one.includes("/labels")), []);
  assertEquals((await github.issues()).map(({ labels, isLocked }) => [labels, isLocked]), [
    [["status", "site-1"], true],
    [["status", "site-2"], true],
  ]);
  assertEquals(github.violations, []);
});

Deno.test("in a mass outage messages wait two seconds at most, and every one whose issue is open by then links to it", async () => {
  const count = 13;
  await using scene = await rig(count, { lockIssues: false });
  const { github, texts, turn, update } = scene;
  assertEquals((await update()).code, 0);
  turn(503);
  let opened = 0;
  let openedBefore = 0;
  const beforeIssues = github.onRequest;
  github.onRequest = async (request, stage) => {
    await beforeIssues(request, stage);
    const isOpening = request.method === "POST" && request.path === `${API}/issues`;
    if (!isOpening) return;
    if (stage === "done") opened++;
    if (texts.length < count) openedBefore = opened;
  };
  assertEquals((await update()).code, 0);
  assertEquals((await github.issues()).length, count);
  assertEquals(texts.length, count);
  // Ten are opened at once, and one more in each second.
  const linked = texts.filter((text) => text.includes("/issues/")).length;
  assert(linked >= 10 && linked >= openedBefore - 1, `${linked} of ${openedBefore}`);
  assert(linked < count, "no message has waited for the last issue");
  assertEquals(github.violations, []);
});
