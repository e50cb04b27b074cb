/** Opens an issue as a command would, for tests of a task's permissions. */
import { ownRepository } from "../../lib/config/repository.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { readEnvironment, systemIo } from "../../lib/io/environment.ts";
import { openGitHub } from "../../lib/github/open_github.ts";

const say = (text: string) => void Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
const environment = readEnvironment(systemIo);
const github = openGitHub({
  api: environment.api,
  repository: ownRepository({}, environment, undefined)!,
  token: environment.token!,
  userAgent: "monitor-action/test",
  clock: systemClock,
  warn: say,
});
const issue = { title: "Shop is down", body: "", labels: [], assignees: [] };
try {
  const { number } = await github.createIssue(issue);
  say(JSON.stringify({ number, tokens: environment.tokens }));
} catch (error) {
  say(String(error));
}
