import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { builtFiles, pageFiles } from "../../commands/page/page_files.ts";
import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { NOTHING_SAID } from "../../lib/page/feed_state.ts";
import type { View } from "../../templates/pages/view.ts";
import { httpServer, type LocalServer } from "./servers.ts";

/** Everything a visitor may load of a page, by path. */
export type PageFiles = ReadonlyMap<string, string | Uint8Array>;

const rendered = new WeakMap<View, PageFiles>();

/** The published files of a status page, rendered once, with another preview image, because that takes long to render. */
export function filesOf(view: View): Map<string, string | Uint8Array> {
  return new Map(rendered.getOrInsertComputed(view, render));
}

function render(view: View): PageFiles {
  const assets = { paths: new Set<string>(), notes: [], read: () => undefined };
  const warn = (note: string) => {
    throw new Error(note);
  };
  const preview = Uint8Array.fromBase64(PIXEL);
  return new Map([
    ...pageFiles(view, preview, { assets, before: NOTHING_SAID, redact: String, warn }),
    ...builtFiles(view, { others: [], redact: String }),
  ]);
}

/** The text of a page. */
export function textOf(files: PageFiles, path: string): string {
  const content = files.get(path);
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}

/** The paths of pages. */
export function pagesOf(files: PageFiles): string[] {
  return [...files.keys()].filter((path) => path.endsWith(".html"));
}

/** The kind that a page is of: pages of different sites, groups, incidents and months are alike. */
export function kindOf(path: string): string {
  return path.replace(
    /^(history|group|incident|incidents)\/[^/]+\/index\.html$/,
    "$1/…/index.html",
  );
}

/** A few pages of each kind: of many the same ones each time, spread over all. Redirects are left out. */
export function someOfEachKind(files: PageFiles, count: number): string[] {
  const pages = pagesOf(files).filter((path) => !textOf(files, path).includes('"refresh"'));
  return [...Map.groupBy(pages, kindOf).values()].flatMap((own) => {
    const step = Math.max(1, Math.floor(own.length / count));
    return own.filter((_, index) => index % step === 0).slice(0, count);
  });
}

/** The smallest PNG. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  xml: "application/xml",
  txt: "text/plain; charset=utf-8",
};

/** Serves a page at the root of a server and under `/status/`, as hosts of static pages do. */
export function servePage(files: PageFiles): LocalServer {
  return httpServer((request) => {
    const path = decodeURIComponent(new URL(request.url).pathname)
      .replace(/^\/(?:status\/)?/, "").replace(/(?<=^|\/)$/, "index.html");
    const content = files.get(path);
    const isHere = content !== undefined;
    const type = TYPES[isHere ? path.split(".").at(-1)! : "html"] ?? "application/octet-stream";
    const headers = {
      "content-type": type,
      "cache-control": "max-age=600",
      "access-control-allow-origin": "*",
    };
    const body = bytesOf(content ?? files.get(PAGE_PATHS.notFound) ?? "Not found");
    const status = isHere ? 200 : 404;
    if (!request.headers.get("accept-encoding")?.includes("gzip")) {
      return new Response(body, { status, headers });
    }
    return new Response(gzipSync(body), {
      status,
      headers: { ...headers, "content-encoding": "gzip" },
    });
  });
}

/** Writes a page into a folder. */
export async function writePage(folder: string, files: PageFiles): Promise<void> {
  for (const [path, content] of files) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeFile(join(folder, path), bytesOf(content));
  }
}

function bytesOf(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(typeof content === "string" ? new TextEncoder().encode(content) : content);
}
