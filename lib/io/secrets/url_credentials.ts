import { decodePercent } from "../../text/safe_parse.ts";

interface UrlCredentials {
  /** The address without them; references such as `$TOKEN` stay. */
  publicUrl: string;
  /** Passwords, tokens and keys as written and decoded; user names only if they look like a token. */
  values: string[];
}

/** Scheme and login in front of a host. */
const LOGIN = /^([a-z][a-z\d+.-]*:\/\/)([^/?#\\\s]*)@/i;
/** The same, for a text that is no valid address because a character is not percent-encoded. */
const RAW_LOGIN = /^([a-z][a-z\d+.-]*:\/\/)(\S*)@/i;
/** A login in front of a host without a scheme. Without its colon it would be an e-mail address. */
const BARE_LOGIN = /^()(?!mailto:|sip:|acct:)([^/?#\\\s:@$]+:[^/?#\\\s@]+)@(?=[^@]+$)/i;

const REFERENCES = /^(?:\$[A-Za-z_]\w*)+$/;

/** Query parameters whose values are credentials by their names. */
const CREDENTIAL_NAME =
  /^(?:x[-_])?(?:(?:api|access|auth|refresh|id|private|client|secret|subscription|bearer|session|amz)[-_]?)*(?:api[-_]?key|access[-_]?key|secret[-_]?key|subscription[-_]?key|auth[-_]?key|token|secret|password|passwd|pwd|signature|sig|jwt)$/i;
/** Names that many harmless parameters have too; the value decides. */
const AMBIGUOUS_NAME = /^(?:key|auth|code|access|credentials?)$/i;
/** A value that no person would choose. */
const RANDOM = /^(?=\D*\d)(?=[^a-z]*[a-z])[\w.~+-]{16,}$/i;
/** A user name that is the credential itself, such as `ghp_…`. */
const TOKEN = /^(?:\S{24,}|(?=\D*\d)(?=[^a-z]*[a-z])\S{12,})$/i;
/** Passwords that say that the user name is the credential. */
const NO_PASSWORD = /^(?:x-oauth-basic|api_token|x|)$/i;
/** Shorter values are parameters such as `?token=1`. */
const SHORTEST_VALUE = 4;

/**
 * Finds credentials that are written out in an address; `undefined` if there are none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const found = findCredentials("https://jo:hunter2@shop.example/?api_key=abcd&page=1");
 * assertEquals(found?.publicUrl, "https://shop.example/?page=1");
 * assertEquals(found?.values, ["hunter2", "abcd"]);
 * assertEquals(findCredentials("https://jo:$PASS@shop.example/?key=$KEY"), undefined);
 * ```
 */
export function findCredentials(url: string): UrlCredentials | undefined {
  const login = findLogin(url);
  const { start, parameters, end } = splitQuery(url, login?.end ?? 0);
  const keys = parameters.filter(({ isCredential }) => isCredential);
  if (login?.values === undefined && keys.length === 0) return undefined;
  const kept = login?.values === undefined && login ? `${login.text}@` : "";
  const rest = parameters.filter(({ isCredential }) => !isCredential).map(({ text }) => text);
  const spelled = [...login?.values ?? [], ...keys.map(({ value }) => value)]
    .flatMap((value) => value.split(/\$[A-Za-z_]\w*/)).filter((value) => value !== "");
  return {
    publicUrl: (login?.scheme ?? "") + kept +
      (rest.length === 0 ? start.replace(/\?$/, "") : start + rest.join("&")) + end,
    values: [...new Set(spelled.flatMap((value) => [value, decodePercent(value)]))],
  };
}

/**
 * Returns the address as it may be stored and shown: without credentials that are written out in it, with
 * references to secrets by their names. Nothing else decides this.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(publicUrl("https://hunter2@shop.example/a"), "https://shop.example/a");
 * assertEquals(publicUrl("https://$USER:$PASS@shop.example/"), "https://$USER:$PASS@shop.example/");
 * assertEquals(publicUrl("jo@example.com"), "jo@example.com");
 * ```
 */
export function publicUrl(url: string): string {
  return findCredentials(url)?.publicUrl ?? url;
}

/** The login of an address as written, the index of the host, and its credentials unless all are references. */
function findLogin(
  url: string,
): { scheme: string; text: string; end: number; values?: string[] } | undefined {
  const match = (isAddress(url) ? LOGIN : RAW_LOGIN).exec(url) ?? BARE_LOGIN.exec(url);
  if (match === null) return undefined;
  const [{ length: end }, scheme = "", text = ""] = match;
  const [user = "", ...others] = text.split(":");
  const password = others.join(":");
  const isToken = NO_PASSWORD.test(password) || TOKEN.test(user);
  const isWritten = (part: string) => part !== "" && !REFERENCES.test(part);
  const values = [...isToken ? [user] : [], ...NO_PASSWORD.test(password) ? [] : [password]]
    .filter(isWritten);
  return { scheme, text, end, ...(values.length === 0 ? {} : { values }) };
}

/** True if the text is a valid address once its references are replaced. */
function isAddress(url: string): boolean {
  return URL.canParse(url.replaceAll(/\$[A-Za-z_]\w*/g, "1"));
}

interface Parameter {
  text: string;
  value: string;
  isCredential: boolean;
}

/** Splits an address, from an index on, into the parts before, in and after its query. */
function splitQuery(
  url: string,
  from: number,
): { start: string; parameters: Parameter[]; end: string } {
  const text = url.slice(from);
  const [whole = "", start = text, query] = /^([^?#]*\?)([^#]*)/.exec(text) ?? [];
  const parameters = query?.split("&").map((text): Parameter => {
    const [name = ""] = text.split("=", 1);
    const value = text.slice(name.length + 1);
    return { text, value, isCredential: isCredential(decodePercent(name), value) };
  });
  return {
    start,
    parameters: parameters ?? [],
    end: query === undefined ? "" : text.slice(whole.length),
  };
}

function isCredential(name: string, value: string): boolean {
  if (value.length < SHORTEST_VALUE || /\$[A-Za-z_]/.test(value)) return false;
  return CREDENTIAL_NAME.test(name) || (AMBIGUOUS_NAME.test(name) && RANDOM.test(value));
}
