import { SUBMISSION_PORT } from "../../../config/channels/kinds.ts";
import type { Notification } from "../../../config/channels/keys.ts";
import { describeMissing } from "../../../io/secrets/missing.ts";
import type { Secrets, Substituted } from "../../../io/secrets/secrets.ts";
import { EffectError } from "../../../outbox/effect.ts";
import { type Address, parseAddresses } from "../../../text/mail_addresses.ts";

export interface Recipient extends Address {
  /** The address as messages show it: secrets by their names. */
  shown: string;
}

/** A notification with its secrets in place. */
export interface MailSettings {
  host: string;
  port: number;
  login?: { user: string; password: string };
  from: Address;
  /** At least one. */
  to: Recipient[];
}

/**
 * Substitutes the secrets of a notification and reads the settings.
 *
 * @throws {EffectError} If a secret is missing, or a value is invalid.
 */
export function readSettings(notification: Notification, secrets: Secrets): MailSettings {
  const missing = new Set<string>();
  const resolve = (text: string): Substituted => {
    const substituted = secrets.substitute(text);
    for (const name of substituted.missing) missing.add(name);
    return substituted;
  };
  const host = resolve(notification["smtp-host"] ?? "").text.trim();
  const port = resolve(notification["smtp-port"] ?? SUBMISSION_PORT).text.trim();
  const user = resolve(notification["smtp-username"] ?? "").text.trim();
  const password = resolve(notification["smtp-password"] ?? "").text.trim();
  const from = resolve(notification.from ?? "");
  const to = (notification.to ?? []).map((entry) => ({ entry, ...resolve(entry) }));
  if (missing.size > 0) {
    throw wrong(describeMissing([...missing]));
  }
  return {
    host: readHost(host, notification["smtp-host"]),
    port: readPort(port, notification["smtp-port"]),
    login: readLogin(user, password, secrets),
    from: readSender(from, notification.from, secrets),
    to: readRecipients(to, secrets),
  };
}

function readHost(host: string, configured = ""): string {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  if (/^[\p{L}\p{N}._:-]+$/u.test(bare)) return bare;
  throw wrong(`smtp-host is not the name of a server: ${configured}`);
}

function readPort(port: string, configured = ""): number {
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number >= 1 && number <= 65_535) return number;
  throw wrong(`smtp-port is not a port from 1 to 65535: ${configured}`);
}

function readLogin(user: string, password: string, secrets: Secrets): MailSettings["login"] {
  if (user === "" && password === "") return undefined;
  if (user === "") throw wrong("smtp-password is given without smtp-username");
  if (password === "") throw wrong("smtp-username is given without smtp-password");
  // The form in which it is sent: it shows neither of its parts.
  secrets.derive(`\0${user}\0${password}`);
  return { user, password };
}

function readSender({ text, secret }: Substituted, configured = "", secrets: Secrets): Address {
  const [sender, ...others] = parseAddresses(text);
  if (sender === undefined || others.length > 0) {
    throw wrong(`from is not one mail address: ${configured}`);
  }
  if (secret) secrets.derive(sender.address);
  return sender;
}

function readRecipients(
  to: readonly (Substituted & { entry: string })[],
  secrets: Secrets,
): Recipient[] {
  const recipients = new Map<string, Recipient>();
  for (const { entry, text, secret } of to) {
    for (const parsed of parseAddresses(text)) {
      if (parsed === undefined) throw wrong(`to contains an invalid mail address: ${entry}`);
      if (secret) secrets.derive(parsed.address);
      const key = parsed.address.toLowerCase();
      if (recipients.has(key)) continue;
      recipients.set(key, { ...parsed, shown: secret ? entry : parsed.address });
    }
  }
  if (recipients.size === 0) throw wrong("to is empty");
  return [...recipients.values()];
}

function wrong(what: string): EffectError {
  return new EffectError(`Cannot send mail: ${what}`, { kind: "misconfigured" });
}
