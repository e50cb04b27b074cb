import type { Site } from "../config/config.ts";
import { listTexts } from "../config/document.ts";
import { findWrongSyntax, possibleNames, secretNames } from "../config/references.ts";
import { withoutLocations } from "../evaluation/location_words.ts";
import { findCredentials } from "../io/secrets/url_credentials.ts";
import type { Language } from "../text/language.ts";
import type { MessageKey } from "../text/messages.ts";

/** A site before it failed. */
export interface Before {
  /** Its last good answer; absent if only its state is known. */
  code?: number;
  until: Temporal.Instant;
}

const MOST_SECRETS = 3;

const BY_CODE: Readonly<Record<number, MessageKey>> = {
  404: "hintNotFound",
  429: "hintTooMany",
  502: "hintProxy",
  503: "hintUnavailable",
  504: "hintProxy",
};

/** Help by the start or the end of an error. */
const BY_ERROR: Readonly<Record<string, MessageKey>> = {
  "^certificate is (?:self-signed|signed by an unknown authority)": "hintAuthority",
  "^(?:the )?certificate .*\\bexpired ": "hintExpired",
  "^certificate is for ": "hintWrongName",
  "^the server (?:wants a|does not accept the) client certificate": "hintClientCertificate",
  "^name not found|\\(NXDOMAIN\\)$": "hintNoName",
  "^name look-up failed|\\(SERVFAIL\\)$": "hintNameServers",
  "^(?:network unreachable|no IPv4 address)": "hintNetwork",
  "^connection refused": "hintRefused",
  "^(?:timed out after .* (?:connecting|negotiating TLS)|host unreachable)": "hintNothingBack",
  "^domain expired ": "hintDomainExpired",
  '^the domain has the status "(?:client|server) hold"': "hintDomainHold",
  "^the domain has the status": "hintDomainDeleted",
  "^the server offers no STARTTLS": "hintStarttls",
  "^the server sent more in plain text after": "hintPlainText",
  "^the server has no health service": "hintNoHealth",
  "^the server does not know the service .*\\(NOT_FOUND\\)": "hintHealthName",
  "^no answer to the ping": "hintNoPing",
  "^the check succeeded, and inverted": "hintInverted",
  "^timed out after .* (?:waiting for the (?:first byte|answer|greeting|WebSocket handshake)|reading the body)$":
    "hintSlowServer",
};

/** Status codes whose likely cause depends on how the site was before. */
const CHANGED: readonly number[] = [401, 403, 404, 407, 410];
/** Status codes that say something else about a page that existed before. */
const GONE: readonly number[] = [404, 410];

type Values = Readonly<Record<string, string | number>>;

/** Sentences of a hint. */
type Hint = readonly [key: MessageKey, values?: Values][];

/** Placeholders of the sentences about a site before it failed. */
type Past = Readonly<{ CODE?: string; TIME: string }>;

/** Explains a failure in a language; `sayTime` formats times. */
export function findHint(
  { code, error: reason, before }: { code: number; error: string; before?: Before },
  { nearMisses: [near], target }: Pick<Site, "nearMisses" | "target">,
  { say, joinSentences, isolate }: Pick<Language, "say" | "joinSentences" | "isolate">,
  sayTime: (time: Temporal.Instant) => string,
): string | undefined {
  const error = withoutLocations(reason).replace(/^step \d+ \(.*?\): /, "");
  // An assertion on something else may fail with any status.
  const isAboutCode = code > 0 && new RegExp(`\\b${code}\\b`).test(error);
  const past: Past | undefined = isAboutCode && CHANGED.includes(code) && before !== undefined
    ? { CODE: before.code?.toString(), TIME: sayTime(before.until) }
    : undefined;
  const help = isAboutCode ? helpByCode(code, findSent(target), past) : helpByError(error);
  const wrong = isAboutCode && code >= 400 && code < 500
    ? findWrongSyntax(selectSent(target))
    : undefined;
  const unreplaced: Hint | undefined = near !== undefined && !(code === 0 && help !== undefined)
    ? [["hintNearSecret", {
      ...{ NAME: quote(near.written), WRITTEN: quote(`$${near.written}`) },
      ...{ SECRET: quote(near.secret), REFERENCE: quote(`$${near.secret}`) },
    }]]
    : wrong !== undefined
    ? [["hintWrongSyntax", {
      ...{ WRITTEN: quote(wrong.written), REFERENCE: quote(`$${wrong.name}`) },
      COMMAND: setSecret(wrong.name),
    }]]
    : undefined;
  const hint = unreplaced === undefined ? help : [...describePast(past), ...unreplaced];
  // Signs of code would change places within right-to-left text.
  const show = (value: string | number) =>
    typeof value === "string" && value.startsWith("`") ? isolate(value) : value;
  return hint && joinSentences(hint.map(([key, values]) => {
    const all = Object.entries({ SECRET: "`$SECRET`", ...values });
    return say(key, Object.fromEntries(all.map(([name, value]) => [name, show(value)])));
  }));
}

function describePast(past: Past | undefined): Hint {
  return past === undefined ? [] : sayPast(past, "hintUpBefore", "hintAnsweredBefore");
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

function helpByError(error: string): Hint | undefined {
  const key = Object.entries(BY_ERROR).find(([pattern]) => new RegExp(pattern).test(error))?.[1];
  return key === undefined ? undefined : [[key]];
}

function helpByCode(code: number, sent: Sent, past: Past | undefined): Hint | undefined {
  if (code === 401 || code === 407) return helpWithCredentials(sent, past);
  if (code === 403) {
    const sends = sent.secrets.length > 0 || sent.isWritten;
    const first: Hint = past === undefined
      ? [[sends ? "hintForbiddenScope" : "hintForbidden"]]
      : sends
      ? sayPast(past, "hintForbiddenNowScope", "hintForbiddenNowScopeAnswered")
      : sayPast(past, "hintForbiddenNow", "hintForbiddenNowAnswered");
    return [...first, ["hintRunners"]];
  }
  if (code >= 520 && code <= 527) return [["hintProxy"]];
  if (past !== undefined && GONE.includes(code)) {
    return sayPast(past, "hintGone", "hintGoneAnswered");
  }
  const key = BY_CODE[code] ?? (code >= 500 ? "hintServerFailed" : undefined);
  return key === undefined ? undefined : [[key]];
}

/** Selects the sentence for a site of which the last good answer is known, or only that it was up. */
function sayPast(
  { CODE, TIME }: Past,
  up: MessageKey,
  answered: MessageKey,
  values: Values = {},
): Hint {
  return [CODE === undefined ? [up, { TIME, ...values }] : [answered, { CODE, TIME, ...values }]];
}

function helpWithCredentials(
  { secrets, isWritten, possible: [name] }: Sent,
  past: Past | undefined,
): Hint {
  if (secrets.length > 0) {
    const SECRETS = secrets.slice(0, MOST_SECRETS).map((name) => quote(`$${name}`)).join(", ");
    const COMMAND = setSecret(secrets.length === 1 ? secrets[0]! : "NAME");
    const first: Hint = past === undefined
      ? [["hintWrongSecret", { SECRETS }]]
      : sayPast(past, "hintOldSecret", "hintOldSecretAnswered", { SECRETS });
    return [...first, ["hintRenew", { COMMAND }]];
  }
  if (name !== undefined && past === undefined) {
    return [["hintSmallLetters", { SECRET: quote(`$${name}`), COMMAND: setSecret(name) }]];
  }
  const COMMAND = setSecret("API_TOKEN");
  if (isWritten) {
    const written: Hint = [["hintWritten", { SECRET: quote("$API_TOKEN"), COMMAND }]];
    return [...describePast(past), ...written];
  }
  return past === undefined
    ? [["hintNoSecret", { HEADER: quote("Authorization: Bearer $API_TOKEN"), COMMAND }]]
    : sayPast(past, "hintLogin", "hintLoginAnswered");
}

function quote(code: string): string {
  return `\`${code}\``;
}

function setSecret(name: string): string {
  return quote(`gh secret set ${name}`);
}
