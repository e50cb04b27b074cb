import type { Site } from "../config/config.ts";
import { withoutLocations } from "../evaluation/locations.ts";

const MOST_SECRETS = 3;

const PROXY =
  "A proxy or load balancer answered, and the server behind it did not: look there first.";

const BY_CODE: Readonly<Record<number, string>> = {
  403:
    "The credentials may lack a scope, or the site admits only known IP addresses, or limits its requests. Those of hosted runners change; a self-hosted runner's can be admitted.",
  404:
    "If the page has moved, change `url`. Some sites also answer 404 if credentials are missing.",
  429:
    "The site limits its requests: check less often with `workflowSchedule`. 429 counts as up unless `expectedStatusCodes` or an assertion says otherwise.",
  502: PROXY,
  503: "The server rejects requests: it may be overloaded, restarting or under maintenance.",
  504: PROXY,
};

/** Help by the start or the end of an error. */
const BY_ERROR: Readonly<Record<string, string>> = {
  "^certificate is (?:self-signed|signed by an unknown authority)":
    "Hosted runners know public authorities only, so it may work on your machine. Give the authority's certificate in `ca` (a file, or PEM in a `$SECRET`), or accept any with `insecure: true`.",
  "^(?:the )?certificate .*\\bexpired ":
    "Browsers refuse the site until it is renewed. If it is renewed automatically, that failed, or the server has not loaded the new certificate.",
  "^certificate is for ":
    "The server shows the certificate of other names, often its default one: this name may be missing from its configuration or from the certificate.",
  "^the server (?:wants a|does not accept the) client certificate":
    "Give it in `clientCertificate` and `clientKey`: files on a self-hosted runner, or PEM in a `$SECRET`.",
  "^name not found|\\(NXDOMAIN\\)$":
    "The name is not in DNS: look at the domain's registration and records. Names of a private network are known to self-hosted runners only.",
  "^name look-up failed|\\(SERVFAIL\\)$":
    "The domain's name servers gave no answer: they may be down, or the domain may point to wrong ones.",
  "^(?:network unreachable|no IPv4 address)":
    "Hosted runners have no IPv6: a site that has no IPv4 address needs a self-hosted runner.",
  "^connection refused":
    "The machine answered, but accepts no connections on this port. If it does elsewhere, a firewall rejects the runner: hosted runners have changing IP addresses.",
  "^(?:timed out after .* (?:connecting|negotiating TLS)|host unreachable)":
    "Nothing came back: the machine may be off or cut off. If it answers elsewhere, a firewall drops the runner's packets: hosted runners have changing IP addresses.",
  "^domain expired ":
    "Renew it at its registrar now: for some weeks the former owner alone can still get it back.",
  '^the domain has the status "(?:client|server) hold"':
    "The registrar or the registry has taken it out of DNS: it tells the owner why, often an address that was not confirmed or a bill.",
  "^the domain has the status":
    "It will be deleted: restore it at its registrar while that is possible.",
  "^the server offers no STARTTLS":
    "Programs that ask for TLS can't use it. If it is meant to speak plain text, set `tls: none`; on port 465 or 993, `tls: implicit`.",
  "^the server sent more in plain text after":
    "Somebody between the runner and the server may have added it, or the server does not follow the protocol.",
  "^the server has no health service":
    "It answers gRPC, but does not offer `grpc.health.v1.Health`: add that service to it, or check the port with `tcp-ping`.",
  "^the server does not know the service .*\\(NOT_FOUND\\)":
    "Compare `service` with the names that the server reports the health of.",
  "^no answer to the ping":
    "The machine may be off or cut off. Many hosts and firewalls drop pings: if a port of it is open, `tcp-ping` says more.",
  "^the check succeeded, and inverted":
    "Something answers where nothing should: look at firewall and access rules, or remove `inverted`.",
  "^timed out after .* (?:waiting for the (?:first byte|answer|greeting|WebSocket handshake)|reading the body)$":
    "The connection was made, so the network works: the server is slow or stuck.",
};

export function findHint(
  { code, error: reason }: { code: number; error: string },
  site: Pick<Site, "secrets" | "nearMisses">,
): string | undefined {
  const error = withoutLocations(reason).replace(/^step \d+ \(.*?\): /, "");
  // An assertion on something else may fail with any status.
  const isAboutCode = code > 0 && new RegExp(`\\b${code}\\b`).test(error);
  const help = isAboutCode
    ? helpByCode(code, site.secrets)
    : Object.entries(BY_ERROR).find(([pattern]) => new RegExp(pattern).test(error))?.[1];
  const [near] = site.nearMisses;
  if (near === undefined || (code === 0 && help !== undefined)) return help;
  const { written, secret } = near;
  return `No secret is named \`${written}\`, so \`$${written}\` is sent as written. The secret is \`${secret}\`, and names are case-sensitive: write \`$${secret}\`.`;
}

function helpByCode(code: number, secrets: Site["secrets"]): string | undefined {
  if (code === 401 && secrets.length === 0) {
    return "The site asks for credentials, and its configuration refers to no secret: give one in a header, such as `Authorization: Bearer $API_TOKEN`. Names are case-sensitive, and the job has to pass `SECRETS_CONTEXT`.";
  }
  if (code === 401) {
    const names = secrets.slice(0, MOST_SECRETS).map((name) => `\`$${name}\``).join(", ");
    return `The credentials were not accepted: ${names} may be wrong or expired, or in the wrong place. Renew an expired token yourself, or with a workflow.`;
  }
  if (code >= 520 && code <= 527) return PROXY;
  return BY_CODE[code] ??
    (code >= 500 ? "The server was reached and failed: look at its log of that time." : undefined);
}
