import { connect } from "node:net";
import type { NameServer } from "./ask.ts";
import { decodeReply, encodeQuestion, type Question, type Reply } from "./message.ts";

const TCP_ID = 1;

/** Asks over TCP, where each message follows its length in two bytes (RFC 1035, section 4.2.2). */
export function askOverTcp(
  question: Question,
  { address, port }: NameServer,
  signal: AbortSignal,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const query = encodeQuestion(question, TCP_ID);
  const socket = connect({ host: address, port });
  let received = new Uint8Array();
  socket.on("connect", () => {
    socket.write(new Uint8Array([query.length >> 8, query.length & 0xff, ...query]));
  });
  socket.on("data", (chunk: Uint8Array) => {
    received = new Uint8Array([...received, ...chunk]);
    const end = received.length < 2 ? Infinity : 2 + received[0]! * 256 + received[1]!;
    if (received.length < end) return;
    const reply = decodeReply(received.subarray(2, end), question, TCP_ID);
    if (reply === undefined) reject(new Error("the answer over TCP is not one to the question"));
    else resolve(reply);
  });
  socket.on("error", reject);
  socket.on("close", () => {
    reject(Object.assign(new Error("closed"), { code: "ECONNABORTED" }));
  });
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  return promise.finally(() => {
    signal.removeEventListener("abort", abort);
    socket.destroy();
  });
}
