import type { CheckSettings } from "../config/checks/mod.ts";
import { type Dialogue, DialogueError } from "./dialogue.ts";
import { type MailProtocol, observeMail } from "./mail.ts";
import type { Probe } from "./observation.ts";

/** Begins each command, and the last line of the answer to it. */
const TAG = "a1";

const PROTOCOL: MailProtocol = {
  name: "imap",
  ports: { starttls: 143, implicit: 993 },
  usual: "implicit",
  async greet(dialogue, needsTls) {
    const line = await dialogue.readLine();
    const [, word, text = ""] = /^\* (OK|PREAUTH|BYE)\b *(.*)$/i.exec(line) ?? [];
    if (word === undefined) throw new DialogueError("the answer is not IMAP", line);
    if (/^BYE$/i.test(word)) throw new DialogueError("the server greeted with BYE", text);
    if (/^PREAUTH$/i.test(word) && needsTls) {
      throw new DialogueError(
        "the server greeted with PREAUTH, after which no STARTTLS is possible",
      );
    }
  },
  async askCapabilities(dialogue) {
    const lines = await expectOk(dialogue, "CAPABILITY");
    return lines.some((line) => /^\* CAPABILITY .*\bSTARTTLS\b/i.test(line));
  },
  async startTls(dialogue) {
    await expectOk(dialogue, "STARTTLS");
  },
  async leave(dialogue) {
    await expectOk(dialogue, "LOGOUT");
  },
};

/** Asks a mail server that people read mail from for its greeting and certificate. */
export const imap: Probe<CheckSettings<"imap">> = (site, context) =>
  observeMail(PROTOCOL, site, context);

/** Sends a command, and reads its answer up to the line with the tag (RFC 9051, section 7.1). */
async function expectOk(dialogue: Dialogue, command: string): Promise<string[]> {
  await dialogue.send(`${TAG} ${command}`);
  const lines: string[] = [];
  while (true) {
    const line = await dialogue.readLine();
    const [, result, text = ""] = /^a1 (\w+) *(.*)$/i.exec(line) ?? [];
    if (result === undefined) {
      lines.push(line);
      continue;
    }
    if (/^OK$/i.test(result)) return lines;
    throw new DialogueError(`the server answered ${command} with ${result}`, text);
  }
}
