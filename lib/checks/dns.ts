import { isQueryName, isResolver, queryName } from "../config/checks/dns.ts";
import { expectations } from "../config/checks/connection_keys.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { misconfigured, missingSecrets, type Observation, type Probe } from "./check.ts";
import { nameServer, systemNameServers } from "./dns/name_servers.ts";

/** Asks a name server for records. `url` is the name. */
export const dns: Probe<CheckSettings<"dns">> = async (site, context) => {
  const { secrets } = context;
  const address = secrets.substitute(site.url);
  const resolver = secrets.substitute(site.resolver ?? "");
  const wanted = expectations(site).map((text) => secrets.substitute(text));
  const missing = [address, resolver, ...wanted].flatMap(({ missing }) => missing);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const name = queryName(address.text);
  if (!isQueryName(name)) return misconfigured("a dns check needs a name in its url");
  const servers = await serversOf(site.resolver, secrets);
  if (!Array.isArray(servers)) return servers;
  // What reads DNS messages takes some 15 ms to load, and few have such a site.
  const { observeAnswer } = await import("./dns/observe_answer.ts");
  return await observeAnswer({ name, type: site.record }, servers, {
    ...context,
    expected: wanted.map(({ text }, index) => ({ text, shown: expectations(site)[index]! })),
    limit: Math.min(site.connectTimeout, site.requestTimeout),
    shown: address.secret ? undefined : name,
    configured: site.url,
    showsServer: !resolver.secret,
  });
};

async function serversOf(configured: string | undefined, secrets: Secrets) {
  const servers = configured === undefined ? systemNameServers() : undefined;
  if (servers?.length === 0) {
    return misconfigured("the system knows no name server: add a resolver");
  }
  if (servers !== undefined) return servers;
  const { text, secret } = secrets.substitute(configured!);
  if (!isResolver(text)) return misconfigured("resolver is no host");
  try {
    return [await nameServer(text)];
  } catch {
    const reason = `the name server${secret ? "" : ` ${configured}`} can't be looked up`;
    const unknown: Observation = {
      code: 0,
      responseTime: 0,
      failure: { kind: "network", reason },
    };
    return unknown;
  }
}
