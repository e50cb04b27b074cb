import { assertEquals } from "@std/assert";
import { openedPlatform } from "../../helpers/opened_platform.ts";
import { platformServer } from "../../helpers/platform_server.ts";

Deno.test("an incident goes over the platform and back, and every request is as it is described", async () => {
  await using server = await platformServer();
  const platform = openedPlatform(server);
  const start = Temporal.Now.instant();
  const { number } = await platform.createIssue({
    title: "🛑 Shop is down",
    body: "It does not answer.",
    labels: ["status", "shop"],
    assignees: ["acme"],
  });
  await platform.lockIssue(number);
  await platform.comment(number, "**Resolved:** it is back.");
  await platform.changeIssue(number, { title: "Shop was down", isOpen: false });
  assertEquals(await server.issues(), [{
    number,
    title: "Shop was down",
    body: "It does not answer.",
    state: "closed",
    reason: "completed",
    labels: ["status", "shop"],
    assignees: ["acme"],
    isLocked: true,
    author: "monitor-bot",
    comments: [{ author: "monitor-bot", body: "**Resolved:** it is back." }],
  }]);
  const issue = {
    number,
    title: "Shop was down",
    body: "It does not answer.",
    isOpen: false,
    author: "monitor-bot",
    repository: "acme/status",
  };
  assertEquals(await platform.issuesSince(start), [issue]);
  assertEquals(await platform.issue(number), issue);
  assertEquals(await platform.commentsSince(number, start), [
    { author: "monitor-bot", body: "**Resolved:** it is back." },
  ]);
  assertEquals(await platform.account(), "monitor-bot");
  assertEquals(server.violations, []);
});
