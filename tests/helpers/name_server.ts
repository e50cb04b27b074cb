import { Buffer } from "node:buffer";
// @ts-types="@types/dns-packet"
import packet from "dns-packet";
import { createSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import { closedPort } from "./servers.ts";

/** The answer of a name server: records, or an error code. */
export interface Zone {
  /** By type and name, such as `A example.com`; other names do not exist. */
  records?: Readonly<Record<string, readonly unknown[]>>;
  /** Code of every answer, such as 2 for SERVFAIL. */
  code?: number;
  /** True if answers over UDP are marked as truncated. */
  truncated?: boolean;
  /** Messages that are sent in place of an answer, made from the question and the right answer. */
  forge?(query: packet.DecodedPacket, answer: Uint8Array): Uint8Array[];
}

/** A name server on the loopback. */
export interface NameServer extends AsyncDisposable {
  /** Address and port, in the form of `resolver:`. */
  resolver: string;
  /** How questions came, such as `udp A example.com`. */
  asked: string[];
}

const NAME_ERROR = 3;

/** A name server over UDP and TCP on one port of the loopback. */
export async function nameServer(zone: Zone): Promise<NameServer> {
  const asked: string[] = [];
  const answer = (message: Uint8Array, over: "udp" | "tcp"): Uint8Array[] => {
    const query = packet.decode(Buffer.from(message));
    const { name, type } = query.questions![0]!;
    asked.push(`${over} ${type} ${name}`);
    const found = zone.records?.[`${type} ${name}`];
    const known = Object.keys(zone.records ?? {}).some((key) => key.endsWith(` ${name}`));
    const truncated = zone.truncated === true && over === "udp";
    const right = packet.encode({
      type: "response",
      id: query.id,
      flags: (zone.code ?? (known ? 0 : NAME_ERROR)) |
        (truncated ? packet.TRUNCATED_RESPONSE : 0),
      questions: query.questions,
      answers: truncated ? [] : (found ?? []).map((data) => (
        { name, type, ttl: 60, class: "IN", data } as packet.Answer
      )),
    });
    return zone.forge?.(query, Uint8Array.from(right)) ?? [right];
  };

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (message: Uint8Array) => {
      for (const reply of answer(message.subarray(2), "tcp")) {
        socket.write(Uint8Array.of(reply.length >> 8, reply.length & 0xff));
        socket.write(reply);
      }
    });
  });
  const port = await listen(tcp);
  const udp = createSocket("udp4");
  udp.on("error", () => {});
  udp.on("message", (message, from) => {
    for (const reply of answer(message, "udp")) udp.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, "127.0.0.1", resolve));
  return {
    resolver: `127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

/** Listens on a port that is free over UDP as well; another one if it was taken since it was found. */
async function listen(server: Server): Promise<number> {
  for (;;) {
    const port = closedPort();
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    server.once("error", resolve);
    server.listen(port, "127.0.0.1", () => resolve(undefined));
    const error = await promise;
    server.removeListener("error", resolve);
    if (error === undefined) return port;
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
  }
}
