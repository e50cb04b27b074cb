import { type Browser, chromium, type Page } from "playwright-core";
import { findTool, testWith } from "./tools.ts";

/** Path of an installed browser; absent if there is none. */
export const CHROMIUM = findTool("browser");

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Nothing here moves: a thread of its own for that would only cost time.
  "--disable-threaded-animation",
];

/** Limit of whatever is awaited in a browser, in milliseconds. It only guards against hanging. */
const LIMIT = 60_000;

/** How a page is opened. */
export interface View {
  /** True if scripts of the page run. */
  scripts?: boolean;
  width?: number;
  theme?: "light" | "dark";
  /** IANA name; UTC if absent. */
  timezone?: string;
}

let browser: Promise<Browser> | undefined;

/** A test in a real browser, which all tests of a file share. */
export function browserTest(name: string, fn: () => Promise<void>): void {
  // The browser outlives the first test that needs it.
  testWith(["browser"], { name, fn, sanitizeOps: false, sanitizeResources: false });
}

/** Ends the browser of a file once its tests are over: to be called once in each file that has browser tests. */
export function endBrowserAfterAll(): void {
  Deno.test.afterAll(endBrowser);
}

/** Ends the browser, if it is running. */
export async function endBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** A window of its own, with nothing kept of others. */
export async function openTab(
  { scripts = true, width = 1440, theme = "light", timezone = "UTC" }: View = {},
): Promise<Page & AsyncDisposable> {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: LIMIT });
  const context = await (await browser).newContext({
    javaScriptEnabled: scripts,
    viewport: { width, height: 900 },
    colorScheme: theme,
    timezoneId: timezone,
    locale: "en-US",
  });
  context.setDefaultTimeout(LIMIT);
  const page = await context.newPage();
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

/** Problems in a window: messages, errors, requests that fail or leave the origin, dialogs. */
export function faultsOf(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("requestfailed", (request) => {
    // A request that navigation cancels has not failed.
    const cause = request.failure()?.errorText;
    if (cause !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()} ${cause}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) faults.push(`leaves: ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  return faults;
}
