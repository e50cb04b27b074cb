import type { Page } from "playwright-core";
import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import type { View } from "../../templates/pages/view.ts";
import { faultsOf, openTab } from "./browser.ts";
import { filesOf, servePage, textOf } from "./page_files.ts";
import { REPORT_TIME } from "./reports.ts";

/** A page that is looked at for a while. Its clock stands still but when `pass` advances it. */
export interface WatchedPage extends AsyncDisposable {
  tab: Page;
  faults: string[];
  /** The served files, by path. */
  served: Map<string, string | Uint8Array>;
  /** The number of requests for the summary. */
  asked: number;
  /** The answer from now on; undefined for an error. */
  answer: string | undefined;
  /** Advances the clock by minutes, and waits until the page has processed all resulting answers. */
  pass(minutes: number): Promise<void>;
  text(what: string): Promise<string>;
}

/**
 * Makes `settled()` in the page wait until it has processed all answers. All that the script of the page awaits is
 * followed: requests, both ways to read an answer, and scripts that it adds.
 */
const SETTLED = `(() => {
  const { fetch } = window;
  const waiting = [];
  let open = 0;
  // Work that follows an answer at once is done before the next message arrives.
  const later = (then) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (port1.close(), then());
    port2.postMessage(0);
  };
  const end = () => --open === 0 && waiting.splice(0).forEach((one) => one());
  const followed = (work) => {
    open++;
    return work.finally(() => later(end));
  };
  window.fetch = (...given) => followed(fetch(...given));
  for (const name of ["json", "text"]) {
    const read = Response.prototype[name];
    Response.prototype[name] = function () { return followed(read.call(this)); };
  }
  const { append } = Element.prototype;
  Element.prototype.append = function (...nodes) {
    for (const one of nodes) {
      if (one.localName === "script") {
        followed(new Promise((done) => ["load", "error"].forEach((name) => one.addEventListener(name, done))));
      }
    }
    return append.apply(this, nodes);
  };
  window.settled = () => new Promise((resolve) => open === 0 ? resolve() : waiting.push(resolve));
})()`;

/** Opens a page some minutes after the time of its report. */
export async function watchPage(
  view: View,
  minutesLater = 3,
  timezone = "UTC",
  path = "",
): Promise<WatchedPage> {
  const served = filesOf(view);
  const server = servePage(served);
  const tab = await openTab({ timezone });
  const watched: WatchedPage = {
    tab,
    faults: faultsOf(tab, server.url),
    served,
    asked: 0,
    answer: textOf(served, PAGE_PATHS.summary),
    async pass(minutes) {
      await tab.clock.runFor(60_000 * minutes);
      await tab.evaluate("settled()");
    },
    text: (what) => tab.locator(what).first().innerText(),
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  await tab.route(`${server.url}/**/${PAGE_PATHS.summary}`, async (route) => {
    watched.asked++;
    if (watched.answer === undefined) await route.abort("internetdisconnected");
    else await route.fulfill({ body: watched.answer, contentType: "application/json" });
  });
  const opened = REPORT_TIME.add({ minutes: minutesLater });
  // An installed clock runs on until it is stopped, and can't be stopped in its past.
  await tab.clock.install({ time: opened.subtract({ hours: 24 }).epochMilliseconds });
  await tab.clock.pauseAt(opened.epochMilliseconds);
  await tab.addInitScript(SETTLED);
  await tab.goto(`${server.url}/${path}`);
  await tab.evaluate("settled()");
  return watched;
}
