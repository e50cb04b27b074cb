import { createSocket, type Socket } from "node:dgram";
import { isIP } from "node:net";
import { askOverTcp } from "./ask_over_tcp.ts";
import { decodeReply, encodeQuestion, type Question, type Reply } from "./message.ts";

/** A name server: an address, no name. */
export interface NameServer {
  address: string;
  port: number;
}

/** A reply, and who gave it. */
export interface Answer {
  reply: Reply;
  server: NameServer;
}

/** Milliseconds until a question is sent again, to the next of the servers: UDP may lose it. */
const PATIENCE = 2_000;

/**
 * Asks name servers in turn, and takes the first reply to the question; what answers another question
 * is left alone, as it may be forged.
 *
 * @throws What `signal` was aborted with, or the error of the network.
 */
export async function ask(
  question: Question,
  servers: readonly NameServer[],
  signal: AbortSignal,
): Promise<Answer> {
  const answer = await askOverUdp(question, servers, signal);
  if (!answer.reply.truncated) return answer;
  return { ...answer, reply: await askOverTcp(question, answer.server, signal) };
}

/** An id that others can't guess. */
export function randomId(): number {
  return crypto.getRandomValues(new Uint16Array(1))[0]!;
}

function askOverUdp(
  question: Question,
  servers: readonly NameServer[],
  signal: AbortSignal,
): Promise<Answer> {
  const open = new Set<Socket>();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let turn = 0;
  const askNext = () => {
    const server = servers[turn++ % servers.length]!;
    const id = randomId();
    const socket = createSocket(isIP(server.address) === 6 ? "udp6" : "udp4");
    open.add(socket);
    const giveUp = (error: Error) => {
      if (!open.delete(socket)) return;
      socket.close();
      if (turn < servers.length) askNext();
      else if (open.size === 0) reject(error);
    };
    socket.on("error", giveUp);
    socket.on("message", (message, from) => {
      const isIPv4 = isIP(server.address) === 4;
      if (from.port !== server.port || isIPv4 && from.address !== server.address) return;
      const reply = decodeReply(message, question, id);
      if (reply !== undefined) resolve({ reply, server });
    });
    socket.connect(server.port, server.address, () => {
      if (!open.has(socket)) return;
      socket.send(encodeQuestion(question, id), (error) => error && giveUp(error));
    });
  };
  const again = setInterval(askNext, PATIENCE);
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  else askNext();
  return promise.finally(() => {
    clearInterval(again);
    signal.removeEventListener("abort", abort);
    for (const socket of open) socket.close();
    open.clear();
  });
}
