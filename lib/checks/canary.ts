import { connect } from "node:net";

/** Milliseconds that a canary has. */
const PATIENCE = 3_000;

/** Whether a TCP connection to `host:port` can be opened. */
export function reaches(address: string): Promise<boolean> {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(address)!;
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    const end = (isThere: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isThere);
    };
    const timer = setTimeout(() => end(false), PATIENCE);
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
