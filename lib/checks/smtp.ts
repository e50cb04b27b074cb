import type { CheckSettings } from "../config/checks/mod.ts";
import { type Dialogue, DialogueError } from "./dialogue.ts";
import { type MailProtocol, observeMail } from "./mail.ts";
import type { Probe } from "./observation.ts";

/** Valid by syntax everywhere; a runner has no name of its own (RFC 5321, section 4.1.3). */
const OWN_NAME = "[127.0.0.1]";

const PROTOCOL: MailProtocol = {
  name: "smtp",
  ports: { starttls: 587, implicit: 465 },
  usual: "starttls",
  async greet(dialogue) {
    await expectCode(dialogue, 220, "greeted with");
  },
  async askCapabilities(dialogue) {
    await dialogue.send(`EHLO ${OWN_NAME}`);
    const [, ...capabilities] = await expectCode(dialogue, 250, "answered EHLO with");
    return capabilities.some((line) => /^STARTTLS\b/i.test(line));
  },
  async startTls(dialogue) {
    await dialogue.send("STARTTLS");
    await expectCode(dialogue, 220, "answered STARTTLS with");
  },
  async leave(dialogue) {
    await dialogue.send("QUIT");
    await expectCode(dialogue, 221, "answered QUIT with");
  },
};

/** Asks a mail server that takes mail for its greeting and certificate. */
export const smtp: Probe<CheckSettings<"smtp">> = (site, context) =>
  observeMail(PROTOCOL, site, context);

/** Reads a reply, whose lines it returns without the code (RFC 5321, section 4.2). */
async function expectCode(dialogue: Dialogue, expected: number, did: string): Promise<string[]> {
  const lines: string[] = [];
  while (true) {
    const line = await dialogue.readLine();
    const [, code, mark, text = ""] = /^(\d{3})(?:([ -])(.*))?$/.exec(line) ?? [];
    if (code === undefined) throw new DialogueError("the answer is not SMTP", line);
    if (Number(code) !== expected) throw new DialogueError(`the server ${did} ${code}`, text);
    lines.push(text);
    if (mark !== "-") return lines;
  }
}
