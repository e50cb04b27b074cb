import { bareHost } from "../../config/checks/hosts.ts";
import type { CheckSettings } from "../../config/checks/mod.ts";
import { explainFailure, toHostAndPort } from "../connection.ts";
import type { Failure, Observation, Phases, ProbeContext } from "../observation.ts";
import { isPrivateAddress, isPrivateHost, PrivateAddressError } from "../../io/private_address.ts";
import { Trace } from "../trace.ts";
import { type Exchange, exchange, ExchangeError } from "./exchange.ts";
import { groupHeaders } from "./headers.ts";
import type { Hop, PreparedRequest } from "./request.ts";

interface Followed {
  /** Without an evaluation of the last status. */
  observation: Observation;
  /** The last answer; absent if it could not be reached. */
  answer?: Exchange;
  /** True if a public address redirected to a private one: nothing of the answer may be published. */
  isInternal: boolean;
}

const PRIVATE_REDIRECT: Failure = {
  kind: "answer",
  reason:
    "redirected from a public to a private address, which is followed only with redirects: anywhere",
};

/** Makes a request and follows its redirects. `public` redirects don't lead from a public address to a private one. */
export async function follow(
  { hop: first, address, tls, route, showsHost, secret }: PreparedRequest,
  context: ProbeContext,
  { connectTimeout, maxRedirects, redirects, keepsBody }:
    & Pick<CheckSettings<"http">, "connectTimeout" | "maxRedirects" | "redirects">
    & { keepsBody: boolean },
): Promise<Followed> {
  const { isPrivate = isPrivateAddress, signal, now } = context;
  const start = performance.now();
  const visited = new Set<string>();
  const trace = new Trace();
  const phases: Phases = { dns: 0, connect: 0, tls: 0, ttfb: 0, download: 0 };
  let hop = first;
  let code = 0;
  let isInternal = false;
  /** True once the last answer came from a public address. */
  let wasPublic = false;
  const end = (failure?: Failure, answer?: Exchange): Followed => ({
    observation: {
      code,
      responseTime: performance.now() - start,
      phases,
      failure,
      certificate: trace.expiry,
      details: trace.details,
    },
    answer,
    isInternal,
  });
  while (true) {
    visited.add(`${hop.method} ${hop.url.href}`);
    const shown = hop === first ? showsHost : showsHost && !secret;
    const url = hop === first ? address : shown ? hop.url.href : undefined;
    trace.requested(hop.method, url, shown);
    const isGuarded = wasPublic && redirects === "public";
    const isHostPrivate = isPrivateHost(bareHost(hop.url), isPrivate);
    // A proxy resolves names itself: only the text of the host is known.
    if (isGuarded && route.proxy !== undefined && isHostPrivate) return end(PRIVATE_REDIRECT);
    const refuses = isGuarded && route.proxy === undefined ? isPrivate : undefined;
    let answer: Exchange;
    try {
      answer = await exchange({
        ...{ ...hop, headers: groupHeaders(hop.headers), tls, route: { ...route, refuses } },
        ...{ connectTimeout, signal, keepsBody, trace },
      });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      if (error.cause instanceof PrivateAddressError) return end(PRIVATE_REDIRECT);
      code = 0;
      return end(
        explainFailure(error.cause, error.stage, { ...toHostAndPort(hop.url), now, shown }),
      );
    }
    const isPublic = answer.address === undefined ? !isHostPrivate : !isPrivate(answer.address);
    isInternal ||= wasPublic && !isPublic;
    wasPublic = isPublic;
    if (isInternal) delete trace.details.headers;
    for (const [phase, time] of Object.entries(answer.phases)) {
      phases[phase as keyof Phases] += time;
    }
    code = answer.status;
    if (maxRedirects === 0) return end(undefined, answer);
    try {
      const next = nextHop(hop, answer.status, answer.headers.location);
      if (next === undefined) return end(undefined, answer);
      if (visited.has(`${next.method} ${next.url.href}`)) {
        throw new RedirectError("redirects go round in a loop");
      }
      if (visited.size > maxRedirects) {
        throw new RedirectError(
          `more than ${maxRedirects} redirect${maxRedirects === 1 ? "" : "s"}`,
        );
      }
      hop = next;
    } catch (error) {
      if (!(error instanceof RedirectError)) throw error;
      return end({ kind: "answer", reason: error.message });
    }
  }
}

const FOLLOWED = [301, 302, 303, 307, 308];
const ORIGIN_HEADERS = ["authorization", "cookie", "host", "proxy-authorization"];
const BODY_HEADERS = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-type",
];

class RedirectError extends Error {}

/**
 * The request that a redirect asks for, as defined by the Fetch standard (section 4.4, HTTP-redirect
 * fetch); `undefined` if the answer is not a redirect. Headers with a secret are not sent to another origin.
 *
 * @throws {RedirectError} If the location is unusable, or a body with a secret would leave its origin.
 */
function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (location === undefined || !FOLLOWED.includes(status)) return undefined;
  const url = URL.parse(location, hop.url);
  if (url === null) throw new RedirectError("redirected to an address that is not valid");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new RedirectError("redirected to an address that is neither http nor https");
  }
  url.username = url.password = "";
  if (url.hash === "") url.hash = hop.url.hash;

  const toGet = status === 303
    ? hop.method !== "GET" && hop.method !== "HEAD"
    : status <= 302 && hop.method === "POST";
  const elsewhere = url.origin !== hop.url.origin;
  if (elsewhere && hop.bodySecret && !toGet) {
    throw new RedirectError("redirected to another origin, which the body's secret is not sent to");
  }
  return {
    url,
    method: toGet ? "GET" : hop.method,
    headers: hop.headers.filter(({ name, secret }) => {
      const key = name.toLowerCase();
      return !(elsewhere && (secret || ORIGIN_HEADERS.includes(key))) &&
        !(toGet && BODY_HEADERS.includes(key));
    }),
    body: toGet ? undefined : hop.body,
    bodySecret: hop.bodySecret && !toGet,
  };
}
