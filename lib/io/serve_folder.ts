import { join, sep } from "node:path";

interface ServeOptions {
  /** Port to listen on, 0 for any free one; absent for the usual one, or the next that is free. */
  port?: number;
  /** Base path under which the folder is served as well, with a slash at both ends. */
  base(): string;
}

/** A folder that is served. */
interface FolderServer extends AsyncDisposable {
  /** Its address, with a slash at its end. */
  address: string;
}

const HOST = "127.0.0.1";
const USUAL_PORT = 8080;
/** Ports that are tried after the usual one. */
const OTHERS = 50;

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  gif: "image/gif",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xml: "application/xml",
};

/**
 * Serves the files of a folder on this machine alone, as static hosts do: a folder by its `index.html`,
 * what is not there by `404.html`. Links that lead out of it lead nowhere.
 *
 * @throws {Error} If the port is taken.
 */
export function serveFolder(folder: string, { port, base }: ServeOptions): FolderServer {
  const server = listen(port, async (request) => {
    const { method, url } = request;
    if (method !== "GET" && method !== "HEAD") {
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    }
    const { status, headers, content } = await answer(folder, new URL(url), base());
    return new Response(method === "HEAD" ? null : content, { status, headers });
  });
  return {
    address: `http://${HOST}:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function listen(
  port: number | undefined,
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> {
  const ports = port === undefined
    ? Array.from({ length: OTHERS + 1 }, (_, index) => USUAL_PORT + index)
    : [port];
  for (const one of ports) {
    try {
      return Deno.serve({ hostname: HOST, port: one, onListen() {} }, handler);
    } catch (error) {
      if (error instanceof Deno.errors.AddrInUse) continue;
      if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
      throw new Error(`Cannot serve on port ${one}: this user may not; choose one above 1023`);
    }
  }
  throw new Error(
    `Cannot serve on port ${
      ports.join(", ").replace(/,.*,/, " to")
    }: another program has it; choose another with --port, or 0 for any that is free`,
  );
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  content: Uint8Array<ArrayBuffer> | null;
}

async function answer(folder: string, url: URL, base: string): Promise<Answer> {
  const { pathname } = url;
  const isBased = base !== "/" && pathname.startsWith(base);
  const parts = partsOf(isBased ? pathname.slice(base.length - 1) : pathname);
  const place = parts === undefined ? undefined : await placeIn(folder, parts);
  if (place === undefined) return await notFound(folder);
  if (!place.isDirectory) return await sent(place.path, 200) ?? await notFound(folder);
  if (!pathname.endsWith("/")) {
    return { status: 301, headers: { location: `${pathname}/${url.search}` }, content: null };
  }
  const index = await placeIn(folder, [...parts!, "index.html"]);
  const page = index === undefined ? undefined : await sent(index.path, 200);
  return page ?? await notFound(folder);
}

/** The parts of the path to a file; `undefined` if one is invalid. */
function partsOf(pathname: string): string[] | undefined {
  try {
    const parts = pathname.slice(1).split("/").map(decodeURIComponent);
    if (parts.at(-1) === "") parts.pop();
    return parts.some((part) => /^\.{0,2}$|[\0/\\]/.test(part)) ? undefined : parts;
  } catch {
    return undefined;
  }
}

async function placeIn(
  folder: string,
  parts: readonly string[],
): Promise<{ path: string; isDirectory: boolean } | undefined> {
  try {
    const [top, path] = await Promise.all([
      Deno.realPath(folder),
      Deno.realPath(join(folder, ...parts)),
    ]);
    if (path !== top && !path.startsWith(top + sep)) return undefined;
    return { path, isDirectory: (await Deno.stat(path)).isDirectory };
  } catch {
    // Unreadable files are missing for a browser.
    return undefined;
  }
}

async function sent(path: string, status: number): Promise<Answer | undefined> {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const type = TYPES[ending] ?? "application/octet-stream";
  try {
    const content = await Deno.readFile(path);
    const headers = { "content-type": type, "content-length": String(content.length) };
    const always = { "cache-control": "no-cache", "x-content-type-options": "nosniff" };
    return { status, headers: { ...headers, ...always }, content };
  } catch {
    return undefined;
  }
}

async function notFound(folder: string): Promise<Answer> {
  const place = await placeIn(folder, ["404.html"]);
  const page = place === undefined ? undefined : await sent(place.path, 404);
  return page ?? { status: 404, headers: {}, content: null };
}
