import { assertEquals } from "@std/assert";
import type { GitHubServer } from "./github_server.ts";
import { LANGUAGE } from "./languages.ts";
import { openedGitHub } from "./opened_github.ts";
import { StillClock } from "./still_clock.ts";
import {
  closeAnnouncement,
  createAnnouncementHandler,
} from "../../lib/incidents/maintenance/close_announcement.ts";
import type { Effect, Receipt } from "../../lib/outbox/effect.ts";

/** The time a number of minutes from now, to the minute. */
export function minutesAway(minutes: number): Temporal.Instant {
  const now = Temporal.Now.instant().round({ smallestUnit: "minute", roundingMode: "floor" });
  return now.add({ minutes });
}

export function bodyUntil(until: Temporal.Instant): string {
  return `<!--\nstart: ${until.subtract({ hours: 2 })}\nend: ${until}\n-->\n\nWe move.`;
}

/** Announces maintenance that ended some minutes ago as issue 1, and returns the effect that closes it. */
export async function announceEnded(server: GitHubServer, minutes = 3): Promise<Effect> {
  const until = minutesAway(-minutes);
  const body = bodyUntil(until);
  const acme = server.person("acme");
  const number = await acme.open({ title: "Router", body, labels: ["maintenance", "shop"] });
  assertEquals(number, 1);
  return closeAnnouncement({ name: "Router", until, issue: number }, {
    timezone: "UTC",
    language: LANGUAGE,
  });
}

export async function executeEffect(
  server: GitHubServer,
  effect: Effect,
  pace: { request?: number } = {},
): Promise<Receipt> {
  const github = openedGitHub(server, { pace });
  const clock = new StillClock(Temporal.Now.instant().toString());
  const handler = createAnnouncementHandler(github, { clock });
  return await handler.execute({ ...effect, planned: Temporal.Now.instant() }, []);
}

/** The comment of an effect, with its marker. */
export function commentOf({ id, data }: Effect): { author: string; body: string } {
  const body = `${data["comment"]}\n\n<!-- monitor-comment: ${id} -->`;
  return { author: "monitor-bot", body };
}

export async function issueState(server: GitHubServer) {
  const { state, reason, comments } = await server.issue(1);
  return { state, reason, comments };
}
