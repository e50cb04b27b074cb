import { expectations } from "../config/checks/connection_keys.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { parseExpectation } from "../config/checks/ws.ts";
import { createMatcher } from "./assertions/patterns.ts";
import { explainFailure, toHostAndPort } from "./connection.ts";
import { formatHeaders } from "./http/headers.ts";
import { type PreparedRequest, prepareRequest } from "./http/request.ts";
import {
  misconfigured,
  missingSecrets,
  type Observation,
  type Probe,
  type ProbeContext,
} from "./observation.ts";
import { withTimeLimit } from "./timing.ts";
import { Trace } from "./trace.ts";
import { type Conversation, converse } from "./ws_client.ts";

/** Opens a WebSocket and waits for an answer if `expect` is set. */
export const ws: Probe<CheckSettings<"ws">> = async (site, context) => {
  const { secrets } = context;
  const message = secrets.substitute(site.body ?? "");
  const wanted = expectations(site).map((text) => secrets.substitute(text));
  const missing = [message, ...wanted].flatMap(({ missing }) => missing);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const tests = wanted.flatMap(({ text }) => parseExpectation(text) ?? []);
  if (tests.length < wanted.length) {
    return misconfigured("expect is not a regular expression once its secrets are in place");
  }
  const match = wanted.length === 0 ? () => undefined : await createMatcher();
  const request = await prepareRequest({ ...site, body: undefined }, context, "ws");
  if (!("hop" in request)) return request;
  request.hop.url.hash = "";
  return await observe(site, request, context, {
    message: site.body === undefined ? undefined : message.text,
    expected: expectations(site),
    isExpected: (answer) =>
      tests.every((test) =>
        "text" in test
          ? answer.includes(test.text)
          : match(test.source, test.flags, answer) !== undefined
      ),
  });
};

async function observe(
  { connectTimeout, requestTimeout, headers }: CheckSettings<"ws">,
  request: PreparedRequest,
  { signal, now, quotesAnswers }: ProbeContext,
  conversation: Conversation,
): Promise<Observation> {
  const { hop, address, showsHost } = request;
  const trace = new Trace();
  trace.requested("GET", address, showsHost);
  const start = performance.now();
  const { phases, error, answers, ...outcome } = await withTimeLimit(
    requestTimeout,
    signal,
    (signal) =>
      converse(request, conversation, {
        connectTimeout,
        signal,
        trace,
        quotes: showsHost && quotesAnswers === true,
      }),
  );
  const failure = error === undefined ? outcome.failure : explainFailure(error.cause, error.stage, {
    ...toHostAndPort(hop.url),
    shown: showsHost,
    now,
  });
  const sum = Object.values(phases ?? {}).reduce((sum, time) => sum + time, 0);
  return {
    code: failure === undefined ? 200 : 0,
    responseTime: phases === undefined ? performance.now() - start : sum,
    phases,
    failure,
    certificate: trace.expiry,
    details: {
      ...trace.details,
      sent: formatHeaders(headers, hop.headers),
      answers: showsHost ? answers : undefined,
    },
  };
}
