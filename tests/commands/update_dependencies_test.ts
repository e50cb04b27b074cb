import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { closedPort, rawServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { thoroughly } from "../helpers/thorough.ts";

const TAKEN = { status: 204 };

Deno.test("update puts a failure down to the site that it depends on, and tells it once that is up again", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const hook = stack.use(await vendorServer(TAKEN));
  const github = stack.use(await githubServer());
  const rig = stack.use(
    await alertRig(scratch, {
      sites: { Shop: { dependsOn: "router" }, Router: {}, Blog: { dependsOn: "shop" } },
      notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
    }),
  );
  const update = () => rig.update({ env: github.env });
  await update();
  rig.turn(503, "Router", "Shop");
  const down = await update();
  assertEquals([down.code, down.stderr], [0, ""]);
  assertMatch(
    down.stdout,
    /✘ Shop .*answered 503 Service Unavailable; it depends on Router, which is down/,
  );
  assertMatch(
    down.stdout,
    /^Shop is down \(answered 503 .*; it depends on Router, which is down\) since/m,
  );
  assertEquals(heardBy(hook), ["router down"]);
  assertMatch(hook.seen[0]!.text, /Also failing, because it depends on this: Shop/);
  assertMatch(
    await git(rig.remote, "log", "-1", "--format=%B", "main"),
    /Router is down.*and 1 more/,
  );
  rig.turn(503, "Blog");
  await update();
  rig.turn(200, "Router", "Blog");
  await update();
  assertEquals(heardBy(hook), ["router down", "shop down", "router up"]);
  assertMatch(hook.seen[1]!.text, /Until now this was put down to Router, which is up again/);
  rig.turn(200);
  await update();
  assertEquals(heardBy(hook).slice(3), ["shop up"]);
  const issues = await github.issues();
  assertEquals(issues.map(({ title, state }) => [title, state]), [
    ["🛑 Router is down", "closed"],
    ["🛑 Shop is down", "closed"],
  ]);
  const [router, shop] = issues;
  assertStringIncludes(router!.body, "**Also failing**, because it depends on this: Shop.");
  assertMatch(
    router!.comments[0]!.body,
    /^\*\*Also failing\*\*, because it depends on this: Blog\.\n/,
  );
  assertMatch(router!.comments[1]!.body, /^\*\*Resolved:\*\*/);
  assertStringIncludes(
    shop!.body,
    "Nobody was told of this until now: it was put down to Router, which is up again.",
  );
  assertEquals(github.violations, []);
});

thoroughly(
  "update puts a failure down to an address that takes no connection, and checks name it",
  async () => {
    await using stack = new AsyncDisposableStack();
    const scratch = stack.use(await makeScratch());
    const hook = stack.use(await vendorServer(TAKEN));
    const there = stack.use(await rawServer(() => {}));
    const gone = closedPort();
    const secrets = { GONE_PORT: String(gone), THERE_PORT: String(there.port) };
    const rig = stack.use(
      await alertRig(scratch, {
        sites: {
          Shop: { dependsOn: ["Router", "127.0.0.1:$GONE_PORT"] },
          Router: { dependsOn: "127.0.0.1:$THERE_PORT" },
        },
        notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
        secrets,
      }),
    );
    rig.turn(503, "Shop");
    const { code, stdout, stderr } = await rig.update();
    assertEquals([code, stderr, heardBy(hook)], [0, "", []]);
    assertMatch(
      stdout,
      /Shop is down \(.*; it depends on 127\.0\.0\.1:\$GONE_PORT, which is down\)/,
    );
    const [file] = (await git(rig.remote, "ls-tree", "--name-only", "main", "history/incidents/"))
      .split("\n");
    const text = await git(rig.remote, "show", `main:${file}`);
    assertStringIncludes(text, "cause: '127.0.0.1:$GONE_PORT'");

    rig.turn(503, "Router");
    const check = await rig.run("check", { args: ["Shop"] });
    assertMatch(
      check.stdout,
      /\n\nIt depends on Router, which is down\.\nIt depends on 127\.0\.0\.1:\$GONE_PORT, which is down\.$/m,
    );
    const json = await rig.run("check", { args: ["Router", "--json"] });
    assertEquals(JSON.parse(json.stdout).failingDependencies, []);
    const valid = await rig.run("validate");
    assertMatch(valid.stdout, /^ {2}Shop .*, depends on Router, 127\.0\.0\.1:\$GONE_PORT$/m);
  },
);
