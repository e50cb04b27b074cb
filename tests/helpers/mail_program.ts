/** A program that sends a mail with the permissions of `update`, trusting authorities of its own. */
import { email } from "../../lib/notifications/channels/email.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { EffectError } from "../../lib/outbox/effect.ts";
import type { ErrorKind } from "../../lib/io/requests.ts";
import { messageOf, sendingWith } from "./mails.ts";

/** Input of the program. */
export interface MailRun {
  notification: Notification;
  secrets?: Readonly<Record<string, string>>;
}

/** The result: an answer, or a failure and its kind. */
export type MailEnd = { answer: string } | { failure: string; kind: ErrorKind };

async function sendOnce({ notification, secrets }: MailRun): Promise<MailEnd> {
  try {
    return { answer: await email.send(notification, messageOf(), sendingWith(secrets)) };
  } catch (error) {
    if (!(error instanceof EffectError)) throw error;
    return { failure: error.message, kind: error.kind };
  }
}

const end = await sendOnce(JSON.parse(Deno.args[0]!));
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(end)));
Deno.exit();
