import { assert, assertEquals } from "@std/assert";
import { FAULTS, githubServer } from "../helpers/github_server.ts";
import { EffectError } from "../../lib/outbox/effect.ts";
import {
  announceEnded,
  commentOf,
  executeEffect,
  issueState,
} from "../helpers/announcement_rig.ts";

const ISSUE = "/repos/acme/status/issues/1";

Deno.test("whatever request fails in whatever way, the next run completes the effect", async () => {
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
      const error = await executeEffect(server, effect, { request: 500 }).catch((error) => error);
      if (error instanceof Error) {
        assert(error instanceof EffectError && error.kind === "transient", what);
      }
      server.forgetFaults();
      await executeEffect(server, effect);
      const { state, comments } = await issueState(server);
      assertEquals([state, comments], ["closed", [commentOf(effect)]], what);
    }
  }
});
