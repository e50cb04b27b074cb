import { familyOf } from "../config/checks/connection_keys.ts";
import { hostAndPort, isPort } from "../config/checks/hosts.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { misconfigured, missingSecrets, type Probe } from "./check.ts";
import { endpoint } from "./network_failure.ts";
import { observeChain } from "./ssl/observe_chain.ts";
import { credentialsOf, readTlsOptions } from "./tls/tls_options.ts";

const HTTPS = "443";

/** Negotiates TLS and looks at the certificates. `url` is a host, with or without `:port`. */
export const ssl: Probe<CheckSettings<"ssl">> = async (site, context) => {
  const { secrets, signal, attempt } = context;
  const address = secrets.substitute(site.url);
  const given = secrets.substitute(site.port ?? "");
  const credentials = credentialsOf(site, secrets);
  const missing = [address, given, credentials].flatMap(({ missing }) => missing);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const { host, port: inUrl = HTTPS } = hostAndPort(address.text);
  if (host === "") return misconfigured("an ssl check needs a host");
  const port = site.port === undefined ? inUrl : given.text.trim();
  if (!isPort(port)) return misconfigured("an ssl check needs a port from 1 to 65535");
  const tls = await readTlsOptions(credentials, site, context.root);
  if (!("rejectUnauthorized" in tls)) return tls;

  const { connectTimeout } = site;
  const target = { host, port: Number(port), family: familyOf(site), attempt, tls };
  const configured = hostAndPort(site.url);
  return await observeChain({ ...target, connectTimeout, signal }, context, {
    expiresWithin: site.expiresWithin,
    showsHost: !address.secret && !given.secret,
    shown: endpoint(configured.host, site.port ?? configured.port ?? HTTPS),
  });
};
