import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/config/problem.ts";
import { PROJECT } from "../../helpers/program.ts";

const FOLDER = join(PROJECT, "tests", "testdata", "config");

/** How many sites of a wrong configuration can be monitored, and everything that is said of it. */
const WRONG: Readonly<Record<string, [sites: number | "nothing", problems: string[]]>> = {
  "duplicate-key.yml": ["nothing", [
    'error 4:5: the key "name" stands twice',
  ]],
  "empty.yml": ["nothing", [
    "error 1:1: expected a map with sites:, found nothing",
  ]],
  "indentation.yml": ["nothing", [
    "error 3:1: Sequence item without - indicator",
  ]],
  "list-at-top.yml": ["nothing", [
    "error 1:1: expected a map with sites:, found a list",
  ]],
  "merge-conflict.yml": ["nothing", [
    "error 2:1: Implicit keys need to be on a single line",
  ]],
  "missing-name-and-url.yml": [0, [
    "error 2:5 sites[0].name: is missing",
    "error 2:5 sites[0].url: is missing",
    "error 3:5 sites[1].name: is missing",
    "error 4:5 sites[1].url: is missing",
  ]],
  "header-without-value.yml": [0, [
    'error 5:9 sites[0].headers[0]: expected "Header-Name: value", found "Authorization"',
  ]],
  "misspelt-keys.yml": [1, [
    'warning 1:1 sitse: unknown key "sitse", did you mean "sites"?',
    'warning 2:1 ownr: unknown key "ownr", did you mean "owner"?',
    'warning 3:1 weather: unknown key "weather", it has no effect',
    'warning 7:5 sites[0].prot: unknown key "prot", did you mean "port"?',
    'warning 8:5 sites[0].expectedStatusCode: unknown key "expectedStatusCode", did you mean "expectedStatusCodes"?',
    'warning 9:5 sites[0].__dangerous__methd: unknown key "__dangerous__methd", it has no effect',
  ]],
  "misspelt-sites.yml": ["nothing", [
    'warning 1:1 site: unknown key "site", did you mean "sites"?',
    "error 1:1: sites: is missing, the list of what to monitor",
  ]],
  "name-is-a-list.yml": [0, [
    "error 2:5 sites[0].name: expected a name, found a list",
  ]],
  "name-without-slug.yml": [0, [
    'error 2:5 sites[0].name: "..." gives no name for files; add a short slug: to this site',
    "error 4:5 sites[1].name: expected a name with something to read in it",
  ]],
  "no-sites.yml": ["nothing", [
    "error 1:1: sites: is missing, the list of what to monitor",
  ]],
  "only-text.yml": ["nothing", [
    'error 1:1: expected a map with sites:, found "just some words"',
  ]],
  "same-name.yml": [3, [
    'warning 4:5 sites[1].name: "Shop" and "shop" have the same name for files, so this one is kept as "shop-3"; give one a slug:',
  ]],
  "site-is-a-text.yml": [1, [
    'error 2:5 sites[0]: expected a map with name and url, found "https://example.com"',
  ]],
  "site-is-nothing.yml": [1, [
    "error 2:4 sites[0]: expected a map with name and url, found nothing",
  ]],
  "sites-is-a-map.yml": ["nothing", [
    "error 1:1 sites: expected a list of sites, found a map",
  ]],
  "sites-is-a-text.yml": ["nothing", [
    'error 1:1 sites: expected a list of sites, found "https://example.com"',
  ]],
  "tab.yml": [0, [
    "warning 2:1: a tab does not indent in YAML, use blanks",
    "error 2:4 sites[0].url: is missing",
    'warning 3:4 url: unknown key "url", it has no effect',
  ]],
  "tcp-ping-without-port.yml": [0, [
    "error 2:5 sites[0].port: a tcp-ping check needs a port, such as port: 5432",
  ]],
  "two-documents.yml": ["nothing", [
    "error 3:1: a second document begins here, only one can be read",
  ]],
  "unclosed-quote.yml": ["nothing", [
    'error 5:1: Missing closing "quote',
  ]],
  "unknown-check.yml": [0, [
    'error 4:5 sites[0].check: expected one of http, tcp-ping, found "minecraft"',
    'error 7:5 sites[1].check: expected one of http, tcp-ping, found "constructor"',
  ]],
  "unquoted-asterisks.yml": ["nothing", [
    'error 2:9: "**Bold**" means something else in YAML: quote it',
  ]],
  "unquoted-colon.yml": ["nothing", [
    "error 2:11: Nested mappings are not allowed in compact mappings",
  ]],
  "url-misspelt-scheme.yml": [0, [
    'error 3:5 sites[0].url: expected an address that begins with https:// or http://, found "hhttps://example.com"',
  ]],
  "url-without-scheme.yml": [0, [
    'error 3:5 sites[0].url: expected an address that begins with https:// or http://, found "example.com"',
  ]],
  "wrong-notifications.yml": [1, [
    "notice 1:1 notifications: not yet used by this version: notifications",
    'error 2:5 notifications[0].type: expected one of email, webhook, slack, discord, telegram, teams, pagerduty, datadog, found "pigeon"',
    'error 3:5 notifications[1]: expected a map with type, found "slack"',
    'error 5:14 notifications[2].on[1]: expected one of down, up, degraded, found "sideways"',
    'warning 6:5 notifications[2].chanel: unknown key "chanel", did you mean "channel"?',
    'error 10:5 sites[0].notifications: expected a list of notifications, found "email"',
  ]],
  "wrong-port.yml": [0, [
    'error 5:5 sites[0].port: expected a port from 1 to 65535, found "eighty"',
    "error 9:5 sites[1].port: expected a port from 1 to 65535, found 70000",
  ]],
  "wrong-slug.yml": [0, [
    'error 3:5 sites[0].slug: expected a short name for files such as "-..-etc"',
    'error 6:5 sites[1].slug: expected a text, found ""',
  ]],
  "wrong-status-codes.yml": [0, [
    'error 4:32 sites[0].expectedStatusCodes[1]: expected a whole number from 100 to 999, found "often"',
    "error 7:5 sites[1].expectedStatusCodes: expected a list of status codes, found 200",
  ]],
  "wrong-times.yml": [0, [
    'error 1:1 maxResponseTime: expected a length of time in milliseconds or such as 30s, 15m or 1h, found "soon"',
    'error 2:22 retry.delays[1]: expected a length of time in seconds or such as 30s, 15m or 1h, found "never"',
    "error 2:30 retry.jitter: expected a number from 0 to 1, found 2",
    "error 6:5 sites[0].maxResponseTime: expected a length of time in milliseconds or such as 30s, 15m or 1h, found -1",
    "error 7:5 sites[0].retry: expected a map with delays and jitter, found 3",
  ]],
  "wrong-top-keys.yml": [1, [
    'error 1:1 concurrency: expected a whole number from 1 to 1000, found "many"',
    "error 2:1 runDeadline: expected a length of time in seconds or such as 30s, 15m or 1h, found a list",
    'error 3:1 commitMessages: expected a map, found "words"',
    "notice 4:1 workflowSchedule: not yet used by this version: workflowSchedule, status-website",
    'error 4:21 workflowSchedule.uptime: expected five fields such as "*/5 * * * *", found "sometimes"',
    "error 5:19 status-website.cname: expected a domain, found 7",
  ]],
};

Deno.test("everything that is wrong with a configuration is told at its place, and the rest is used", async () => {
  const files = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name);
  assertEquals(files.sort(), Object.keys(WRONG).sort());
  for (const [file, expected] of Object.entries(WRONG)) {
    const { config, problems } = await parseConfig(await Deno.readTextFile(join(FOLDER, file)));
    const told = problems.map((problem) =>
      formatProblem(problem, problem.severity).replace(/^(error|warning|notice):/, "$1 ")
    );
    assertEquals([config?.sites.length ?? "nothing", told], expected, file);
  }
});
