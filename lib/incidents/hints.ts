import type { Site } from "../config/config.ts";
import { listTexts } from "../config/document.ts";
import { findWrongSyntax, possibleNames, secretNames } from "../config/references.ts";
import { withoutLocations } from "../evaluation/location_words.ts";
import { findCredentials } from "../io/secrets/url_credentials.ts";
import { utcMinute } from "../time.ts";

/** A site before it failed. */
export interface Before {
  /** Its last good answer; absent if only its state is known. */
  code?: number;
  until: Temporal.Instant;
}

const MOST_SECRETS = 3;

const PROXY =
  "A proxy or load balancer answered, and the server behind it did not: look there first.";

const BY_CODE: Readonly<Record<number, string>> = {
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

/** Status codes whose likely cause depends on how the site was before. */
const CHANGED: readonly number[] = [401, 403, 404, 407, 410];
/** Status codes that say something else about a page that existed before. */
const GONE: readonly number[] = [404, 410];
const RUNNERS = "Addresses of hosted runners change; that of a self-hosted runner can be admitted.";

export function findHint(
  { code, error: reason, before }: { code: number; error: string; before?: Before },
  { nearMisses: [near], target }: Pick<Site, "nearMisses" | "target">,
): string | undefined {
  const error = withoutLocations(reason).replace(/^step \d+ \(.*?\): /, "");
  // An assertion on something else may fail with any status.
  const isAboutCode = code > 0 && new RegExp(`\\b${code}\\b`).test(error);
  const past = isAboutCode && CHANGED.includes(code) ? describePast(before) : undefined;
  const help = isAboutCode
    ? helpByCode(code, findSent(target), past)
    : Object.entries(BY_ERROR).find(([pattern]) => new RegExp(pattern).test(error))?.[1];
  const wrong = isAboutCode && code >= 400 && code < 500
    ? findWrongSyntax(selectSent(target))
    : undefined;
  const unreplaced = near !== undefined && !(code === 0 && help !== undefined)
    ? `No secret is named \`${near.written}\`, so \`$${near.written}\` is sent as written. The secret is \`${near.secret}\`, and names are case-sensitive: write \`$${near.secret}\`.`
    : wrong !== undefined
    ? `\`${wrong.written}\` is sent as written: write the secret as \`$${wrong.name}\`, and save it with \`gh secret set ${wrong.name}\`.`
    : undefined;
  if (unreplaced === undefined) return help;
  return past === undefined ? unreplaced : `${past}. ${unreplaced}`;
}

function describePast(before: Before | undefined): string | undefined {
  if (before === undefined) return undefined;
  const { code, until } = before;
  return `It ${code === undefined ? "was up" : `answered ${code}`} until ${utcMinute(until)} UTC`;
}

/** Headers in which sites expect credentials. */
const CREDENTIAL_HEADER =
  /^\s*(?:(?:proxy-)?authorization|cookie|[\w-]*(?:api-?key|token|auth|secret))\s*:/i;

/** Keys of a check whose values are sent. */
const SENT_KEYS = ["url", "headers", "body", "proxy", "userAgent", "steps"];

function selectSent(target: Site["target"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(target).filter(([key]) => SENT_KEYS.includes(key)));
}

/** Credentials that a check sends: as secrets, or written out. */
interface Sent {
  secrets: readonly string[];
  isWritten: boolean;
  /** Names of secrets that references in small letters may mean. */
  possible: readonly string[];
}

function findSent(target: Site["target"]): Sent {
  const values = selectSent(target);
  const texts = listTexts(values).map(([, text]) => text);
  const isWritten = texts.some((text) =>
    CREDENTIAL_HEADER.test(text) || findCredentials(text) !== undefined
  );
  return { secrets: secretNames(target), isWritten, possible: possibleNames(values) };
}

function helpByCode(code: number, sent: Sent, past: string | undefined): string | undefined {
  if (code === 401 || code === 407) return helpWithCredentials(sent, past);
  if (code === 403) {
    const sends = sent.secrets.length > 0 || sent.isWritten;
    if (past === undefined) {
      const credentials = sends ? "The credentials may lack a scope" : "It may want credentials";
      return `${credentials}, or the site admits only known IP addresses, or limits its requests. ${RUNNERS}`;
    }
    const credentials = sends ? "the credentials may have lost a scope, or " : "";
    return `${past}: ${credentials}the site now rejects the runner's address or limits its requests. ${RUNNERS}`;
  }
  if (code >= 520 && code <= 527) return PROXY;
  if (past !== undefined && GONE.includes(code)) return `${past}: the page was moved or removed.`;
  return BY_CODE[code] ??
    (code >= 500 ? "The server was reached and failed: look at its log of that time." : undefined);
}

function helpWithCredentials(
  { secrets, isWritten, possible: [name] }: Sent,
  past: string | undefined,
): string {
  const names = secrets.slice(0, MOST_SECRETS).map((name) => `\`$${name}\``).join(", ");
  const save = (name: string) => `\`gh secret set ${name}\``;
  const start = past === undefined ? "" : `${past}. `;
  if (names !== "") {
    const cure = `Renew an expired token with ${
      save(secrets.length === 1 ? secrets[0]! : "NAME")
    }, or with a workflow.`;
    return past === undefined
      ? `The credentials were not accepted: ${names} may be wrong or expired, or in the wrong place. ${cure}`
      : `${past}: ${names} may have expired or been revoked. ${cure}`;
  }
  if (name !== undefined && past === undefined) {
    return `References in small letters are sent as written: if one is a secret, write it as \`$${name}\`, and save it with ${
      save(name)
    }.`;
  }
  if (isWritten) {
    return `${start}The credentials that its configuration contains are not accepted. Write \`$API_TOKEN\` in their place, and save new ones with ${
      save("API_TOKEN")
    }.`;
  }
  return past === undefined
    ? `The site asks for credentials, and its configuration refers to no secret: give one in a header, such as \`Authorization: Bearer $API_TOKEN\`, and save it with ${
      save("API_TOKEN")
    }.`
    : `${past}: somebody has put it behind a login, or a proxy rejects the runner.`;
}
