import { stringify } from "@std/yaml";
import type { FirstSite } from "../lib/config/first_site.ts";
import { SCHEMA_ADDRESS } from "../lib/version.ts";

const HEAD = `# yaml-language-server: $schema=${SCHEMA_ADDRESS}
# The line above makes editors complete the keys and check them.
# A line such as "#key: value" is an example: take the # away to use it.

# What is monitored.
sites:
`;

const EXAMPLES = `    #maxResponseTime: 2s # slower is degraded; 30 s where nothing is said
    #expectedStatusCodes: [200, 204] # what counts as up; 200-208, 226, 300-308 and 429 otherwise
    #headers: ["Authorization: Bearer $API_TOKEN"] # $API_TOKEN is a secret of the repository
`;

const TAIL = `
# Who is told.
#notifications:
#  - type: slack
#    webhook-url: $SLACK_WEBHOOK_URL
#    on: [down, up]

# When the checks run: every 5 minutes otherwise, which in a private repository costs minutes.
#workflowSchedule:
#  uptime: "*/15 * * * *"

# The status page.
#status-website:
#  name: Status
#  cname: status.example.com
`;

/** An address that means itself without quotes, which the writer of YAML puts around every colon. */
const QUOTED = /^( *(?:- )?[a-z]+: )'([a-z][\w.-]*(?::\/\/[\w.:/-]*[\w/-]|:\d+))'$/i;

/** A first configuration, with the keys that people want next as examples in comments. */
export function firstConfig(sites: readonly FirstSite[]): string {
  const first = sites.findIndex(({ check }) => check === undefined);
  const items = sites.map((site, index) => {
    const lines = stringify([site], { lineWidth: -1 }).trimEnd().split("\n");
    const item = lines.map((line) => `  ${line.replace(QUOTED, "$1$2")}\n`).join("");
    return index === first ? item + EXAMPLES : item;
  });
  return HEAD + items.join("") + TAIL;
}
