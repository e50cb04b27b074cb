import { chooseFamily } from "../config/checks/connection_keys.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { VERSION } from "../version.ts";
import { explainFailure } from "./connection.ts";
import { Dialogue, DialogueError, holdDialogue } from "./dialogue.ts";
import { readHost } from "./host.ts";
import type { Failure, Probe } from "./observation.ts";

const PORT = 22;
/** Characters of an identification without its end (RFC 4253, section 4.2). */
const LONGEST = 253;
/** Version 1.99 is that of a server which speaks version 1 as well (section 5.1). */
const IDENTIFICATION = /^SSH-(?:2\.0|1\.99)-/;

/** Reads the identification of an SSH server. `url` is a host, with or without a port. */
export const ssh: Probe<CheckSettings<"ssh">> = async (site, context) => {
  const { secrets, signal, now, attempt } = context;
  const address = readHost({ ...site, check: "ssh", usual: PORT }, secrets);
  if (!("host" in address)) return address;
  const { host, port, showsHost: shown } = address;
  const { phases, responseTime, said, error, ...held } = await holdDialogue(
    { host, port, family: chooseFamily(site), attempt },
    { ...site, signal },
    async (socket, signal) => {
      const start = performance.now();
      const dialogue = new Dialogue(socket, signal);
      // Other lines may come before it.
      let line = await dialogue.readLine();
      while (!line.startsWith("SSH-")) line = await dialogue.readLine();
      const ttfb = performance.now() - start;
      // A client that says nothing looks like an attacker to the server.
      await dialogue.send(`SSH-2.0-MonitorAction_${VERSION}`);
      return { found: line, phases: { ttfb } };
    },
  );
  const failure: Failure | undefined = error === undefined
    ? evaluateIdentification(said!)
    : error.cause instanceof DialogueError
    ? {
      kind: "answer",
      reason: `the server does not identify itself as SSH: ${error.cause.message}`,
    }
    : explainFailure(error.cause, error.stage, { host, port, shown, now });
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    phases,
    failure,
    details: {
      ...(shown ? { address: held.address } : {}),
      hops: [{
        method: "SSH",
        url: address.shown,
        ...(said === undefined ? {} : { words: "identified" }),
      }],
      answers: shown && said !== undefined ? [said] : undefined,
    },
  };
};

function evaluateIdentification(line: string): Failure | undefined {
  if (line.length > LONGEST) {
    return { kind: "answer", reason: "the SSH identification is longer than 255 characters" };
  }
  if (IDENTIFICATION.test(line)) return undefined;
  const [version] = /^SSH-[\d.]*/.exec(line)!;
  return { kind: "answer", reason: `the server speaks ${version}, expected SSH-2.0` };
}
