import { getServers } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { expectations } from "../config/checks/connection_keys.ts";
import { isQueryName, isResolver, queryName } from "../config/checks/dns.ts";
import { hostAndPort } from "../config/checks/hosts.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import type { NameServer, Question, Reply } from "./dns_client.ts";
import { evaluateReply, type ExpectedReply } from "./dns_reply.ts";
import { endpoint, networkFailure } from "./network_failure.ts";
import {
  type Failure,
  misconfigured,
  missingSecrets,
  type Observation,
  type Probe,
} from "./observation.ts";
import { withTimeLimit } from "./timing.ts";

const DNS_PORT = 53;

/** Queries a name server for records. `url` is the name. */
export const dns: Probe<CheckSettings<"dns">> = async (site, context) => {
  const { secrets } = context;
  const address = secrets.substitute(site.url);
  const resolver = secrets.substitute(site.resolver ?? "");
  const wanted = expectations(site).map((text) => secrets.substitute(text));
  const missing = [address, resolver, ...wanted].flatMap(({ missing }) => missing);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const name = queryName(address.text);
  if (!isQueryName(name)) return misconfigured("a dns check needs a name in its url");
  const servers = await findServers(site.resolver, secrets);
  if (!Array.isArray(servers)) return servers;
  return await observeReply({ name, type: site.record }, servers, {
    expected: wanted.map(({ text }, index) => ({ text, shown: expectations(site)[index]! })),
    limit: Math.min(site.connectTimeout, site.requestTimeout),
    signal: context.signal,
    shown: address.secret ? undefined : name,
    configured: site.url,
    showsServer: !resolver.secret,
    quotes: context.quotesAnswers ?? false,
  });
};

interface Expected extends ExpectedReply {
  /** Milliseconds until the reply must arrive. */
  limit: number;
  signal: AbortSignal;
  configured: string;
  showsServer: boolean;
}

async function observeReply(
  question: Question,
  servers: readonly NameServer[],
  expected: Expected,
): Promise<Observation> {
  // The client takes 15 ms to load, and few configurations need it.
  const { resolveRecords } = await import("./dns_client.ts");
  const { limit, signal, shown, showsServer } = expected;
  const start = performance.now();
  let reply: Reply | undefined;
  let failure: Failure | undefined;
  try {
    reply = await withTimeLimit(
      limit,
      signal,
      (signal) => resolveRecords(question, servers, signal),
    );
  } catch (error) {
    const shownServers = showsServer ? ` ${servers.map(formatServer).join(", ")}` : "";
    failure = networkFailure(error as Error, {
      stage: `waiting for the name server${shownServers}`,
      host: showsServer ? formatServer(servers[0]!) : undefined,
    });
  }
  const responseTime = performance.now() - start;
  if (reply !== undefined) failure = evaluateReply(reply, question.type, expected);
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    ...(reply === undefined
      ? {}
      : { phases: { dns: responseTime, connect: 0, tls: 0, ttfb: 0, download: 0 } }),
    ...(failure === undefined ? {} : { failure }),
    details: {
      hops: [{ method: question.type, url: expected.configured, words: reply?.code }],
      resolver: reply !== undefined && showsServer ? formatServer(reply.server) : undefined,
      answers: shown === undefined ? undefined : reply?.records,
    },
  };
}

function formatServer({ address, port }: NameServer): string {
  return port === DNS_PORT ? address : endpoint(address, port);
}

/** The configured name server or those of the system, or the observation that there is none. */
async function findServers(
  configured: string | undefined,
  secrets: Secrets,
): Promise<NameServer[] | Observation> {
  if (configured === undefined) {
    const servers = [...new Set(getServers())].map((text): NameServer => {
      if (isIP(text) !== 0) return { address: text, port: DNS_PORT };
      const { host, port = DNS_PORT } = hostAndPort(text);
      return { address: host, port: Number(port) };
    });
    return servers.length > 0
      ? servers
      : misconfigured("the system knows no name server: add a resolver");
  }
  const { text, secret } = secrets.substitute(configured);
  if (!isResolver(text)) return misconfigured("resolver is not a host");
  const { host, port = DNS_PORT } = hostAndPort(text);
  try {
    const { address } = await lookup(host);
    return [{ address, port: Number(port) }];
  } catch {
    const reason = `the name server${secret ? "" : ` ${configured}`} can't be looked up`;
    return { code: 0, responseTime: 0, failure: { kind: "network", reason } };
  }
}
