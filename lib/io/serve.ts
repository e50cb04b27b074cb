import { join, relative, sep } from "node:path";
import { delay } from "@std/async/delay";

const HOST = "127.0.0.1";

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
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml",
};

/**
 * Names of this machine, with any port. A page of the web could have its own name lead here, and so read what is
 * served (DNS rebinding); a browser still sends that name.
 */
const OWN_HOST = /^(?:(?:[\w-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?$/i;

/**
 * Serves the files of a folder on this machine alone, as static hosts do: a folder by its `index.html`,
 * missing files by `404.html`. Links that lead out of it are missing files. With port 0 any free one is used;
 * `base` is a path under which the folder is served as well, with a slash at both ends. Requests for other hosts
 * are answered with 421, and methods that would change something with 405.
 *
 * @throws {Error} If the port is taken.
 */
export function serveFolder(
  folder: string,
  { port, base }: { port: number; base(): string },
): AsyncDisposable & { address: string } {
  const server = listen(
    port,
    (request) => refuse(request) ?? answer(folder, new URL(request.url), base()),
  );
  return {
    address: `http://${HOST}:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/**
 * Serves on this machine alone; with port 0 on any free one.
 *
 * @throws {Error} If the port is taken.
 */
function listen(
  port: number,
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ hostname: HOST, port, onListen() {} }, (request, info) =>
      // Deno would log the address, which may contain a secret, with an error for each such request.
      URL.canParse(request.url) ? handler(request, info) : new Response(null, { status: 400 }));
  } catch (error) {
    const { AddrInUse, PermissionDenied } = Deno.errors;
    const why = error instanceof AddrInUse
      ? "another program has it; choose another one, or 0 for any that is free"
      : error instanceof PermissionDenied
      ? "this user may not; choose one above 1023"
      : undefined;
    if (why === undefined) throw error;
    throw new Error(`Cannot serve on port ${port}: ${why}`, { cause: error });
  }
}

function refuse({ headers, method, url }: Request): Response | undefined {
  // A request may name the host in its first line as well.
  const hosts = [headers.get("host") ?? "", new URL(url).host];
  if (!hosts.every((host) => OWN_HOST.test(host))) {
    return new Response("Only this machine is served: open localhost or 127.0.0.1\n", {
      status: 421,
    });
  }
  if (method === "GET" || method === "HEAD") return undefined;
  return new Response("Only GET and HEAD are allowed\n", {
    status: 405,
    headers: { allow: "GET, HEAD" },
  });
}

async function answer(folder: string, { pathname, search }: URL, base: string): Promise<Response> {
  const isBased = base !== "/" && pathname.startsWith(base);
  const own = isBased ? pathname.slice(base.length - 1) : pathname;
  const place = await findPlace(folder, own);
  if (place?.isDirectory && !own.endsWith("/")) {
    return new Response(null, { status: 301, headers: { location: `${pathname}/${search}` } });
  }
  return await respond(folder, own.endsWith("/") ? `${own}index.html` : own, 200) ??
    await respond(folder, "/404.html", 404) ?? new Response(null, { status: 404 });
}

async function findPlace(
  folder: string,
  pathname: string,
): Promise<{ path: string; isDirectory: boolean } | undefined> {
  try {
    const top = await Deno.realPath(folder);
    const path = await Deno.realPath(join(folder, decodeURIComponent(pathname)));
    if (path !== top && !path.startsWith(top + sep)) return undefined;
    return { path, isDirectory: (await Deno.stat(path)).isDirectory };
  } catch {
    // Unreadable files are missing for a browser.
    return undefined;
  }
}

async function respond(
  folder: string,
  pathname: string,
  status: number,
): Promise<Response | undefined> {
  const place = await findPlace(folder, pathname);
  if (place === undefined || place.isDirectory) return undefined;
  const ending = /\.(\w+)$/.exec(place.path)?.[1]?.toLowerCase() ?? "";
  return new Response(await Deno.readFile(place.path), {
    status,
    headers: {
      "content-type": TYPES[ending] ?? "application/octet-stream",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Milliseconds without a change after which those before belong together. */
const QUIET = 150;
/** Most retries while changes never end. */
const MOST = 20;

/** Watches a folder with its subfolders, and yields after each burst of changes of wanted files. */
export function watchFolder(
  folder: string,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): AsyncGenerator<void, void, void> {
  let change = Promise.withResolvers<boolean>();
  const watcher = Deno.watchFs(folder);
  signal.addEventListener("abort", () => {
    watcher.close();
    change.resolve(false);
  }, { once: true });
  (async () => {
    for await (const { kind, paths } of watcher) {
      const isRelevant = kind !== "access" &&
        paths.some((path) => isWanted(relative(folder, path)));
      if (isRelevant) change.resolve(true);
    }
  })();
  return (async function* () {
    while (!signal.aborted && await change.promise) {
      for (let round = 0; round < MOST; round++) {
        change = Promise.withResolvers();
        if (!await Promise.race([change.promise, delay(QUIET).then(() => false)])) break;
      }
      if (!signal.aborted) yield;
    }
  })();
}
