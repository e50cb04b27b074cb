import type { Failure, Observation, Phases, ProbeContext } from "../check.ts";
import { type Exchange, exchange, ExchangeError, type ExchangeOptions } from "./exchange.ts";
import { type Hop, nextHop, RedirectError } from "./hop.ts";
import { explain } from "./explain.ts";
import { bareHost } from "../../config/checks/hosts.ts";
import { isPrivateAddress, isPrivateHost, PrivateAddressError } from "../net/private_address.ts";
import type { PreparedRequest } from "./request.ts";
import { Witness } from "./witness.ts";

const NO_TIME: Phases = { dns: 0, connect: 0, tls: 0, ttfb: 0, download: 0 };

/** How far a request is followed, and what its last answer has to be. */
export interface Limits {
  maxRedirects: number;
  /** `public` refuses redirects from a public address to a private one. */
  redirects: "public" | "anywhere";
  connectTimeout: number;
  /** Why a status does not count as up. */
  judge(status: number): Failure | undefined;
  keep?: ExchangeOptions["keep"];
}

/** What was seen on the way. */
export interface Followed {
  observation: Observation;
  /** The last answer, where one came that leads nowhere else. */
  answer?: Exchange;
  /** True if a public address redirected to a private one: nothing of the answer may be published. */
  isInternal: boolean;
}

/** Makes a request, follows its redirects, and observes the last answer. */
export async function follow(
  { hop: first, address, tls, route, showsHost, secret }: PreparedRequest,
  context: ProbeContext,
  limits: Limits,
): Promise<Followed> {
  const start = performance.now();
  const visited = new Set<string>();
  let phases = NO_TIME;
  let hop = first;
  let code = 0;
  let isInternal = false;
  /** True once the last answer came from a public address. */
  let wasPublic = false;
  const { proxy } = route;
  const { isPrivate = isPrivateAddress } = context;
  const refused: Failure = {
    kind: "answer",
    reason:
      "redirected from a public to a private address, which is followed only with redirects: anywhere",
  };
  const witness = new Witness();
  const observe = (failure?: Failure): Observation => ({
    code,
    responseTime: performance.now() - start,
    phases,
    ...(failure === undefined ? {} : { failure }),
    ...(witness.expiry === undefined ? {} : { certificate: witness.expiry }),
    ...(context.detailed ? { details: witness.details } : {}),
  });
  while (true) {
    visited.add(`${hop.method} ${hop.url.href}`);
    const shown = hop === first ? showsHost : showsHost && !secret;
    const url = hop === first ? address : shown ? hop.url.href : undefined;
    witness.requested(hop.method, url, shown);
    const isGuarded = wasPublic && limits.redirects === "public";
    const isHostPrivate = isPrivateHost(bareHost(hop.url), isPrivate);
    // Through a proxy the address of a name is unknown: its text decides.
    if (isGuarded && proxy !== undefined && isHostPrivate) {
      return { observation: observe(refused), isInternal };
    }
    const guarded = isGuarded && proxy === undefined ? { ...route, refuses: isPrivate } : route;
    let answer: Exchange;
    try {
      answer = await exchange({
        url: hop.url,
        method: hop.method,
        headers: headersOf(hop),
        body: hop.body,
        tls,
        route: guarded,
        connectTimeout: limits.connectTimeout,
        signal: context.signal,
        keep: limits.keep,
        witness,
      });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      if (error.cause instanceof PrivateAddressError) {
        return { observation: observe(refused), isInternal };
      }
      const failure = await explain(error, hop.url, {
        showsHost: shown,
        tls,
        route: guarded,
        context,
        witness,
      });
      return { observation: { ...observe(failure), code: 0 }, isInternal };
    }
    const isPublic = answer.address === undefined ? !isHostPrivate : !isPrivate(answer.address);
    isInternal ||= wasPublic && !isPublic;
    wasPublic = isPublic;
    if (isInternal) delete witness.details.headers;
    phases = add(phases, answer.phases);
    code = answer.status;
    const observation = observe(limits.judge(answer.status));
    if (limits.maxRedirects === 0) return { observation, answer, isInternal };
    try {
      const next = nextHop(hop, answer.status, answer.headers.location);
      if (next === undefined) return { observation, answer, isInternal };
      if (visited.has(`${next.method} ${next.url.href}`)) {
        throw new RedirectError("redirects go round in a loop");
      }
      if (visited.size > limits.maxRedirects) {
        const s = limits.maxRedirects === 1 ? "" : "s";
        throw new RedirectError(`more than ${limits.maxRedirects} redirect${s}`);
      }
      hop = next;
    } catch (error) {
      if (!(error instanceof RedirectError)) throw error;
      return { observation: observe({ kind: "answer", reason: error.message }), isInternal };
    }
  }
}

/** The headers of a hop as the runtime takes them: those of one name together. */
export function headersOf({ headers }: Pick<Hop, "headers">): Record<string, string | string[]> {
  const byName = new Map<string, { name: string; values: string[] }>();
  for (const { name, value } of headers) {
    const entry = byName.get(name.toLowerCase()) ?? { name, values: [] };
    entry.values.push(value);
    byName.set(name.toLowerCase(), entry);
  }
  return Object.fromEntries(
    [...byName.values()].map((
      { name, values },
    ) => [name, values.length === 1 ? values[0]! : values]),
  );
}

function add(a: Phases, b: Phases): Phases {
  return {
    dns: a.dns + b.dns,
    connect: a.connect + b.connect,
    tls: a.tls + b.tls,
    ttfb: a.ttfb + b.ttfb,
    download: a.download + b.download,
  };
}
