import { createServer, request } from "node:http";
import { connect, type Socket } from "node:net";
import { listening, type LocalServer } from "./servers.ts";

/** How a proxy behaves. */
export interface ProxyOptions {
  /** Credentials as `name:password`; no authentication if absent. */
  login?: string;
  /** Status that every wish for a tunnel is answered with. */
  refusesWith?: number;
  /** True if tunnels are refused. */
  silent?: boolean;
}

/** An HTTP proxy on the loopback, and its requests. */
export interface ProxyServer extends LocalServer {
  asked: string[];
}

/** Starts an HTTP proxy, with CONNECT and without. Names are looked up by it, all to the loopback. */
export async function proxyServer(
  { login, refusesWith, silent = false }: ProxyOptions = {},
): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = login === undefined ? undefined : `Basic ${btoa(login)}`;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  };
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (wanted !== undefined && incoming.headers["proxy-authorization"] !== wanted) {
      return response.writeHead(407).end();
    }
    const { pathname, search, port } = new URL(incoming.url!);
    const { "proxy-authorization": _login, ...headers } = incoming.headers;
    const { method } = incoming;
    const onward = request({ host: "127.0.0.1", port, path: pathname + search, method, headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    incoming.pipe(onward);
  });
  server.on("connection", keep);
  server.on("connect", ({ url, headers }, near: Socket) => {
    asked.push(`CONNECT ${url}`);
    const status = wanted !== undefined && headers["proxy-authorization"] !== wanted
      ? 407
      : refusesWith;
    if (silent) return;
    if (status !== undefined) return near.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const far = connect(Number(url!.split(":").at(-1)), "127.0.0.1", () => {
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.pipe(near).pipe(far);
    });
    keep(far);
  });
  return { asked, ...await listening(server, "http", sockets) };
}
