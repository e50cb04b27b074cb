import type { FirstSite } from "../lib/config/first_site.ts";
import { SCHEMA_ADDRESS } from "../lib/version.ts";
import { stringify } from "@std/yaml";

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

const TAIL = `
# Notification channels.
#notifications:
#  - type: slack
#    webhook-url: $SLACK_WEBHOOK_URL
#    on: [down, up]

# Schedule of the checks; default every 5 minutes, which is billed in a private repository.
#workflowSchedule:
#  uptime: "*/15 * * * *"

# The status page.
#status-website:
#  name: Status
#  cname: status.example.com
`;

/** An address that means itself without quotes, which the writer of YAML puts around every colon. */
const QUOTED = /^( *(?:- )?[a-z]+: )'([a-z][\w.-]*(?::\/\/[\w.:/-]*[\w/-]|:\d+))'$/i;

/** Writes a first configuration, with the keys that people want next as examples in comments. */
export function firstConfig(sites: readonly FirstSite[]): string {
  const first = sites.findIndex(({ check }) => check === undefined);
  const items = sites.map((site, index) => {
    const lines = stringify([site], { lineWidth: -1 }).trimEnd().split("\n");
    const item = lines.map((line) => `  ${line.replace(QUOTED, "$1$2")}\n`).join("");
    return index === first ? item + EXAMPLES : item;
  });
  return HEAD + items.join("") + TAIL;
}
