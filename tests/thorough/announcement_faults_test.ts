import { assert, assertEquals } from "@std/assert";
import { announcementProcess } from "../helpers/announcement_program.ts";
import { FAULTS, type GitHubServer, githubServer } from "../helpers/github_server.ts";
import { killGroup } from "../helpers/incident_program.ts";
import { openedGitHub } from "../helpers/opened_github.ts";
import { StillClock } from "../helpers/still_clock.ts";
import {
  closeAnnouncement,
  createAnnouncementHandler,
} from "../../lib/incidents/maintenance/close_announcement.ts";
import { type Effect, EffectError, type Receipt } from "../../lib/outbox/effect.ts";

const ISSUE = "/repos/acme/status/issues/1";

/** A moment so many minutes away from now, to the minute. */
function minutesAway(minutes: number): Temporal.Instant {
  const now = Temporal.Now.instant().round({ smallestUnit: "minute", roundingMode: "floor" });
  return now.add({ minutes });
}

function bodyUntil(until: Temporal.Instant): string {
  return `<!--\nstart: ${until.subtract({ hours: 2 })}\nend: ${until}\n-->\n\nWe move.`;
}

/** Announces what ended some minutes ago, as issue 1, and returns what is owed to it. */
async function announceEnded(server: GitHubServer, minutes = 3): Promise<Effect> {
  const until = minutesAway(-minutes);
  const body = bodyUntil(until);
  const acme = server.person("acme");
  const number = await acme.open({ title: "Router", body, labels: ["maintenance", "shop"] });
  assertEquals(number, 1);
  return closeAnnouncement({ name: "Router", until, issue: number }, "UTC");
}

async function carry(
  server: GitHubServer,
  effect: Effect,
  pace: { request?: number } = {},
): Promise<Receipt> {
  const github = openedGitHub(server, { pace });
  const clock = new StillClock(Temporal.Now.instant().toString());
  const handler = createAnnouncementHandler(github, { clock });
  return await handler.execute({ ...effect, planned: Temporal.Now.instant() }, []);
}

/** The comment that an effect brings, with its marker. */
function commentOf({ id, data }: Effect): { author: string; body: string } {
  const body = `${data["comment"]}\n\n<!-- monitor-comment: ${id} -->`;
  return { author: "monitor-bot", body };
}

async function standing(server: GitHubServer) {
  const { state, reason, comments } = await server.issue(1);
  return { state, reason, comments };
}

for (const stage of ["came", "done"] as const) {
  Deno.test(`a run killed at any request, ${stage === "came" ? "before" : "once"} it is carried out, leaves one comment and a closed issue to the next`, async () => {
    for (const request of [`GET ${ISSUE}`, `POST ${ISSUE}/comments`, `PATCH ${ISSUE}`]) {
      await using server = await githubServer();
      const effect = await announceEnded(server);
      let pid = 0;
      server.onRequest = ({ method, path }, at) => {
        if (at !== stage || `${method} ${path}` !== request) return;
        killGroup(pid);
        return false;
      };
      const { code, stderr } = await announcementProcess(server, effect, (id) => pid = id);
      assertEquals(code, 137, `${request}: ${stderr}`);
      server.onRequest = () => {};
      await carry(server, effect);
      const { state, comments } = await standing(server);
      assertEquals([state, comments], ["closed", [commentOf(effect)]], request);
    }
  });
}

Deno.test("whatever request fails in whatever way, the next run brings it to its end", async () => {
  const requests = [
    `GET ${ISSUE}`,
    `GET ${ISSUE}/comments`,
    `POST ${ISSUE}/comments`,
    `PATCH ${ISSUE}`,
  ];
  for (const request of requests) {
    for (const [fault, isDone] of [[FAULTS.badGateway, true], ["reset", false]] as const) {
      await using server = await githubServer();
      const effect = await announceEnded(server);
      const what = `${request}, ${isDone}`;
      server.fault(request, fault, { isDone, times: 50 });
      const error = await carry(server, effect, { request: 500 }).catch((error) => error);
      if (error instanceof Error) {
        assert(error instanceof EffectError && error.kind === "transient", what);
      }
      server.forgetFaults();
      await carry(server, effect);
      const { state, comments } = await standing(server);
      assertEquals([state, comments], ["closed", [commentOf(effect)]], what);
    }
  }
});
