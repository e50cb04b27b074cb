import { expectations } from "../config/checks/connection_keys.ts";
import type { Target } from "../config/checks/check_kind.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { matcher } from "./assertions/matcher.ts";
import {
  misconfigured,
  missingSecrets,
  type Observation,
  type Probe,
  type ProbeContext,
} from "./check.ts";
import { explain } from "./http/explain.ts";
import { headersOf } from "./http/follow.ts";
import { type PreparedRequest, prepareRequest } from "./http/request.ts";
import { sentHeaders } from "./http/sent_headers.ts";
import { Witness } from "./http/witness.ts";
import { TimeLimitError } from "./network_failure.ts";
import { type Conversation, converse } from "./ws/converse.ts";
import { expectation } from "./ws/expectation.ts";

/** Opens a WebSocket, and where `expect` says so waits for an answer. */
export const ws: Probe<CheckSettings<"ws">> = async (site, context) => {
  const { secrets } = context;
  const message = secrets.substitute(site.body ?? "");
  const wanted = expectations(site).map((text) => secrets.substitute(text));
  const missing = [message, ...wanted].flatMap(({ missing }) => missing);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const tests = wanted.flatMap(({ text }) => expectation(text) ?? []);
  if (tests.length < wanted.length) {
    return misconfigured("expect is no regular expression once its secrets are in place");
  }
  const match = wanted.length === 0 ? () => undefined : await matcher();
  const request = await prepareRequest({ ...site, body: undefined }, context, "ws");
  if (!("hop" in request)) return request;
  request.hop.url.hash = "";
  return await observe(site, { ...request, context }, {
    message: site.body === undefined ? undefined : message.text,
    expected: expectations(site),
    isExpected: (answer) => tests.every((test) => test(answer, match)),
  });
};

async function observe(
  site: Target & { headers: readonly string[] },
  { hop, address, tls, route, showsHost, context }: PreparedRequest & { context: ProbeContext },
  words: Pick<Conversation, "message" | "expected" | "isExpected">,
): Promise<Observation> {
  const { connectTimeout, requestTimeout } = site;
  const witness = new Witness();
  witness.requested("GET", address, showsHost);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new TimeLimitError(requestTimeout)), requestTimeout);
  const start = performance.now();
  const signal = AbortSignal.any([limit.signal, context.signal]);
  const headers = headersOf(hop);
  const { phases, error, answers, ...outcome } = await converse({
    ...words,
    url: hop.url,
    headers,
    tls,
    route,
    showsAnswers: showsHost,
    connectTimeout,
    signal,
    witness,
  }).finally(() => clearTimeout(timer));
  const failure = error === undefined
    ? outcome.failure
    : await explain(error, hop.url, { showsHost, route, tls, context, witness });
  const took = Object.values(phases ?? {}).reduce((sum, time) => sum + time, 0);
  return {
    code: failure === undefined ? 200 : 0,
    responseTime: phases === undefined ? performance.now() - start : took,
    phases,
    ...(failure === undefined ? {} : { failure }),
    ...(witness.expiry === undefined ? {} : { certificate: witness.expiry }),
    ...(context.detailed
      ? {
        details: {
          ...witness.details,
          sent: sentHeaders(site.headers, hop.headers),
          answers: showsHost ? answers : undefined,
        },
      }
      : {}),
  };
}
