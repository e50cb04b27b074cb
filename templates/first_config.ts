import { stringify } from "@std/yaml";
import type { FirstSite } from "../lib/config/first_site.ts";
import { EXAMPLE_SITE } from "../lib/config/load.ts";
import type { FirstChannel } from "../lib/setup/first_channel.ts";
import { SCHEMA_ADDRESS } from "../lib/version.ts";

/** Settings of a first configuration; absent ones are shown as examples in comments. */
export interface FirstSettings {
  sites: readonly FirstSite[];
  channel?: FirstChannel;
  name?: string;
  domain?: string;
  schedule?: string;
  /** `owner/name@ref` of the action. */
  action?: string;
  /** True if Uptime CI passes all secrets, so that it need not be written again for each new one. */
  passesAllSecrets?: true;
}

/** Renders a first configuration, with the keys that people want next as examples in comments. */
export function firstConfig(settings: FirstSettings): string {
  const { sites, channel, name, domain, schedule, action, passesAllSecrets } = settings;
  return [
    HEAD + siteLines(sites),
    "# Notification channels.\n" + (channel === undefined ? CHANNEL : channelLines(channel)),
    "# Schedule of the checks; default every 5 minutes, which is billed in a private repository.\n" +
    (schedule === undefined
      ? '#workflowSchedule:\n#  uptime: "*/15 * * * *"\n'
      : yaml({ workflowSchedule: { uptime: schedule } })),
    "# The status page.\n" + pageLines(name, domain),
    ANNOUNCE,
    ...passesAllSecrets ? [SECRETS] : [],
    ...action === undefined ? [] : [`# The action in the workflows.\n${yaml({ action })}`],
  ].join("\n");
}

/** The configuration of the template repository, which is not checked until somebody edits it. */
export function exampleConfig(): string {
  return firstConfig({ sites: [EXAMPLE_SITE], passesAllSecrets: true });
}

/** True for {@linkcode exampleConfig} of any version. */
export function isUneditedExample(text: string): boolean {
  const body = (whole: string) => whole.slice(whole.indexOf("\n"));
  return body(text.replaceAll("\r\n", "\n")) === body(exampleConfig());
}

const HEAD = `# yaml-language-server: $schema=${SCHEMA_ADDRESS}
# With the line above, editors complete and check the keys.
# Lines such as "#key: value" are examples: remove the # to use them.

# Sites to monitor.
sites:
`;

const EXAMPLES = `    #maxResponseTime: 2s # slower is degraded; default 30 s
    #expectedStatusCodes: [200, 204] # up; default 200-208, 226, 300-308 and 429
    #headers: ["Authorization: Bearer $API_TOKEN"] # $API_TOKEN is a repository secret
`;

const CHANNEL = `#notifications:
#  - type: slack
#    webhook-url: $SLACK_WEBHOOK_URL # a repository secret
#    on: [down, up, certificate]
`;

const ANNOUNCE = `# The workflow Announce, and issue forms to report incidents and plan maintenance.
announce: true
`;

const SECRETS = `# Uptime CI passes all secrets of the repository to the program.
secrets: all
`;

/** An address that means itself without quotes, which the writer of YAML puts around every colon. */
const QUOTED = /^( *(?:- )?[a-z]+: )'([a-z][\w.-]*(?::\/\/[\w.:/-]*[\w/-]|:\d+))'$/i;

function siteLines(sites: readonly FirstSite[]): string {
  const first = sites.findIndex(({ check }) => check === undefined);
  return sites.map((site, index) => {
    const item = yaml([site]).replaceAll(/^(?=.)/gm, "  ");
    return index === first ? item + EXAMPLES : item;
  }).join("");
}

function channelLines({ type, secrets }: FirstChannel): string {
  const values = Object.entries(secrets).map(([key, name]) => [key, `$${name}`]);
  const item = yaml([{ type, ...Object.fromEntries(values) }]).replaceAll(/^(?=.)/gm, "  ");
  return `notifications:\n${item}    on: [down, up, certificate]\n`;
}

function pageLines(name: string | undefined, domain: string | undefined): string {
  const given = {
    ...name === undefined ? {} : { name },
    ...domain === undefined ? {} : { cname: domain },
  };
  const isGiven = Object.keys(given).length > 0;
  return (isGiven ? yaml({ "status-website": given }) : "#status-website:\n") +
    (name === undefined ? "#  name: Status\n" : "") +
    (domain === undefined ? "#  cname: status.example.com\n" : "");
}

function yaml(value: unknown): string {
  return stringify(value, { lineWidth: -1 }).trimEnd().split("\n")
    .map((line) => `${line.replace(QUOTED, "$1$2")}\n`).join("");
}
