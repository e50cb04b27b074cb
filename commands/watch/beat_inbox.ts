import type { Beat } from "../../lib/checks/heartbeat/beat.ts";
import {
  BEAT_FOLDER,
  type BeatRoute,
  isBeatSecret,
  readBeatRequest,
} from "../../lib/checks/heartbeat/endpoint.ts";
import { addBeat, type Heartbeat } from "../../lib/checks/heartbeat/heartbeat.ts";
import type { Site } from "../../lib/config/config.ts";
import { formatBeats, listBeats, parseBeats } from "../../lib/history/received_beats.ts";
import { openBeatsFile } from "../../lib/history/store/open_store.ts";
import type { Clock } from "../../lib/io/clock.ts";
import type { Secrets } from "../../lib/io/secrets/secrets.ts";
import { listen } from "../../lib/io/serve.ts";
import { parsePort } from "../../lib/text/arguments.ts";
import { MINUTE } from "../../lib/time.ts";

type BeatsFile = Awaited<ReturnType<typeof openBeatsFile>>;

interface InboxOptions {
  clock: Clock;
  /** Returns the sites that take beats at the moment. */
  routes(): readonly BeatRoute[];
}

/** Most beats of a site in a minute. */
const MOST = 30;

/**
 * Beats that jobs send over HTTP. Each is written to a file before it is answered, so that none is lost if the
 * process ends before the next run.
 */
export class BeatInbox {
  readonly #jobs: Map<string, Heartbeat>;
  readonly #file: BeatsFile;
  readonly #options: InboxOptions;
  /** Times of the last beats by slug, in milliseconds of `clock.elapsed()`. */
  readonly #last = new Map<string, number[]>();
  /** Ends when all that was received is written. */
  #written: Promise<unknown> = Promise.resolve();

  private constructor(
    jobs: Map<string, Heartbeat>,
    file: BeatsFile,
    options: InboxOptions,
  ) {
    this.#jobs = jobs;
    this.#file = file;
    this.#options = options;
  }

  /** Opens the inbox of a folder, with the beats of the process before. */
  static async open(root: string, options: InboxOptions): Promise<BeatInbox> {
    const file = await openBeatsFile(root);
    return new BeatInbox(parseBeats(await file.read() ?? ""), file, options);
  }

  /** Finds the beats of a site; runs ignore those that they know. */
  find({ slug }: Pick<Site, "slug">): Beat[] {
    return listBeats(this.#jobs.get(slug));
  }

  /**
   * Serves the endpoint at a port of this machine, or at `HOST:PORT`.
   *
   * @throws {Error} If the port is taken.
   */
  serve(place: string): AsyncDisposable & { address: string } {
    const [, host, port = ""] = /^(?:\[?([^\]]+)\]?:)?(\d+)$/.exec(place) ?? [];
    const server = listen(parsePort(port || place), (request) => this.#answer(request), host);
    const { hostname, port: own } = server.addr;
    const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
    return {
      address: `http://${shown}:${own}${BEAT_FOLDER}`,
      [Symbol.asyncDispose]: () => server.shutdown(),
    };
  }

  async #answer(request: Request): Promise<Response> {
    await request.body?.cancel();
    const { clock, routes } = this.#options;
    const { status, text, beat, slugs } = readBeatRequest(request, routes(), clock.now());
    if (beat === undefined) return reply(status, text, status === 405 ? { allow: "POST" } : {});
    if (slugs.some((slug) => this.#isTooMany(slug))) {
      return reply(429, `more than ${MOST} beats in a minute`, { "retry-after": "60" });
    }
    for (const slug of slugs) {
      const known = this.#jobs.get(slug) ?? { since: beat.at };
      this.#jobs.set(slug, addBeat(known, beat, beat.at));
    }
    try {
      await this.#write();
    } catch {
      return reply(503, "the beat could not be saved: send it again");
    }
    return reply(status, text);
  }

  #isTooMany(slug: string): boolean {
    const now = this.#options.clock.elapsed();
    const recent = (this.#last.get(slug) ?? []).filter((one) => now - one < MINUTE);
    if (recent.length < MOST) recent.push(now);
    else return true;
    this.#last.set(slug, recent);
    return false;
  }

  async #write(): Promise<void> {
    const before = this.#written.catch(() => {});
    const writing = before.then(() => this.#file.write(formatBeats(this.#jobs)));
    this.#written = writing;
    await writing;
  }
}

function reply(status: number, text: string, headers: Record<string, string> = {}): Response {
  const type = "text/plain; charset=utf-8";
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": type, "cache-control": "no-store", ...headers },
  });
}

/** The routes of sites whose secret is known and long enough. */
export function listBeatRoutes(sites: readonly Site[], secrets: Secrets): BeatRoute[] {
  return sites.flatMap(({ slug, target }) => {
    if (target.check !== "heartbeat" || target.endpoint === undefined) return [];
    const { text } = secrets.substitute(target.endpoint);
    return isBeatSecret(text) ? [{ slug, secret: text, acceptGet: target.acceptGet }] : [];
  });
}
