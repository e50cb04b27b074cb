/**
 * A server of gRPC on Node, because Deno's own one can end the process. Arguments: JSON of `answers`, of which each
 * call gets the next and the last one remains, and of a `certificate` to use TLS. Prints its port, then each request.
 */
import { createSecureServer, createServer } from "node:http2";
import { Buffer } from "node:buffer";
import process from "node:process";

const say = (line) => process.stdout.write(`${line}\n`);
const { answers, certificate } = JSON.parse(process.argv[2]);
const server = certificate === undefined ? createServer() : createSecureServer(certificate);
server.on("stream", (stream, requested) => {
  const parts = [];
  stream.on("error", () => {});
  stream.on("data", (part) => parts.push(part));
  stream.on("end", () => {
    say(JSON.stringify({ headers: { ...requested }, body: [...Buffer.concat(parts)] }));
    const { headers, message, trailers } = answers.length > 1 ? answers.shift() : answers[0];
    if (message === undefined) return stream.respond(headers, { endStream: true });
    stream.respond(headers, { waitForTrailers: trailers !== undefined });
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    stream.end(new Uint8Array(message));
  });
});
server.listen(0, "127.0.0.1", () => say(server.address().port));
