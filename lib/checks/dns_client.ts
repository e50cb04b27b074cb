import { Buffer } from "node:buffer";
import { createSocket, type Socket } from "node:dgram";
import { connect, isIP } from "node:net";
// @ts-types="@types/dns-packet"
import packet from "dns-packet";
import type { RecordType } from "../config/checks/dns.ts";
import { closedError } from "./connection.ts";
import { unlessAborted } from "./timing.ts";

export type NameServer = { address: string; port: number };

/** A question to a name server; `name` is in ASCII, without a dot at its end. */
export type Question = { name: string; type: RecordType };

export interface Reply {
  /** Such as `NOERROR`, `NXDOMAIN` or `SERVFAIL`. */
  code: string;
  /** True if the reply is too long for UDP. */
  truncated: boolean;
  records: string[];
  server: NameServer;
}

/** Milliseconds until a question is repeated to the next server: UDP may lose it. */
const REPEAT_AFTER = 2_000;

/** Allows replies longer than 512 bytes, up to what arrives in one piece. */
const EXTENSION: packet.OptAnswer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: 1232,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/**
 * Asks name servers in turn and returns the first reply to the question. Replies to other questions may be
 * forged and are ignored.
 *
 * @throws The reason `signal` was aborted with, or the error of the network.
 */
export async function resolveRecords(
  question: Question,
  servers: readonly NameServer[],
  signal: AbortSignal,
): Promise<Reply> {
  const reply = await askOverUdp(question, servers, signal);
  return reply.truncated ? await askOverTcp(question, reply.server, signal) : reply;
}

function askOverUdp(
  question: Question,
  servers: readonly NameServer[],
  signal: AbortSignal,
): Promise<Reply> {
  const open = new Set<Socket>();
  let turn = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return unlessAborted<Reply>(signal, (resolve, reject) => {
    const askNext = () => {
      const server = servers[turn++ % servers.length]!;
      const id = randomId();
      const family = isIP(server.address);
      const socket = createSocket(family === 6 ? "udp6" : "udp4");
      open.add(socket);
      const fail = (error: Error) => {
        if (!open.delete(socket)) return;
        socket.close();
        if (turn < servers.length) askNext();
        else if (open.size === 0) reject(error);
      };
      socket.on("error", fail);
      socket.on("message", (message, from) => {
        if (from.port !== server.port || family === 4 && from.address !== server.address) return;
        const reply = decodeReply(message, question, { id, server });
        if (reply !== undefined) resolve(reply);
      });
      socket.connect(server.port, server.address, () => {
        if (!open.has(socket)) return;
        socket.send(encodeQuestion(question, id), (error) => error && fail(error));
      });
    };
    timer = setInterval(askNext, REPEAT_AFTER);
    askNext();
  }).finally(() => {
    clearInterval(timer);
    for (const socket of open) socket.close();
    open.clear();
  });
}

/** Asks over TCP, where two bytes with its length precede each message (RFC 1035, section 4.2.2). */
function askOverTcp(
  question: Question,
  server: NameServer,
  signal: AbortSignal,
): Promise<Reply> {
  const id = randomId();
  const query = encodeQuestion(question, id);
  const socket = connect({ host: server.address, port: server.port });
  let received = Buffer.alloc(0);
  return unlessAborted<Reply>(signal, (resolve, reject) => {
    socket.on("connect", () => {
      socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 0xff]), query]));
    });
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.length < 2 ? Infinity : 2 + received.readUInt16BE(0);
      if (received.length < end) return;
      const reply = decodeReply(received.subarray(2, end), question, { id, server });
      if (reply === undefined) reject(new Error("the answer over TCP is not one to the question"));
      else resolve(reply);
    });
    socket.on("error", reject);
    socket.on("close", () => reject(closedError()));
  }).finally(() => socket.destroy());
}

/** An id that others can't guess. */
function randomId(): number {
  return crypto.getRandomValues(new Uint16Array(1))[0]!;
}

function encodeQuestion({ name, type }: Question, id: number): Uint8Array {
  return packet.encode({
    type: "query",
    id,
    flags: packet.RECURSION_DESIRED,
    questions: [{ type, name, class: "IN" }],
    additionals: [EXTENSION],
  });
}

/** The reply in a message; `undefined` if it answers another question, or none at all. */
function decodeReply(
  message: Uint8Array,
  { name, type }: Question,
  { id, server }: { id: number; server: NameServer },
): Reply | undefined {
  let decoded: packet.DecodedPacket;
  try {
    decoded = packet.decode(Buffer.from(message));
  } catch {
    return undefined;
  }
  const [question] = decoded.questions ?? [];
  const isSame = question === undefined ||
    question.type === type && question.name.toLowerCase() === name.toLowerCase();
  if (decoded.type !== "response" || decoded.id !== id || !isSame) return undefined;
  return {
    code: (decoded as { rcode?: string }).rcode ?? "NOERROR",
    truncated: decoded.flag_tc,
    records: (decoded.answers ?? []).flatMap((answer) =>
      answer.type === type ? [formatRecord(answer)] : []
    ),
    server,
  };
}

function formatRecord(answer: packet.Answer): string {
  switch (answer.type) {
    case "MX":
      return `${answer.data.preference ?? 0} ${answer.data.exchange}`;
    case "SOA": {
      const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data;
      return [mname, rname, serial, refresh, retry, expire, minimum].join(" ");
    }
    case "TXT":
      return new TextDecoder().decode(
        Buffer.concat([answer.data].flat().map((part) => Buffer.from(part))),
      );
    case "OPT":
      return "";
    default:
      return String(answer.data);
  }
}
