import incidentIssues from "./incident_issues.yml" with { type: "text" };
import outsideScheduler from "./outside_scheduler.sh" with { type: "text" };
import selfHostedConfig from "./self_hosted.monitorrc.yml" with { type: "text" };
import selfHosted from "./self_hosted.yml" with { type: "text" };
import tokenRefresh from "./token_refresh.yml" with { type: "text" };

/** Something that is not generated, and that people put into their repository if they want it. */
export interface Example {
  /** What it is for, as the end of "An example of …". */
  purpose: string;
  /** Where it goes: in the repository, or on a machine of one's own. */
  path: string;
  text: string;
}

/** Every example, by its file in this folder. */
export const EXAMPLES = {
  "token_refresh.yml": {
    purpose: "a workflow that renews an expiring token, and saves it as a secret",
    path: ".github/workflows/token-refresh.yml",
    text: tokenRefresh,
  },
  "self_hosted.monitorrc.yml": {
    purpose: "a configuration for sites that know a certificate or a fixed address",
    path: ".monitorrc.yml",
    text: selfHostedConfig,
  },
  "self_hosted.yml": {
    purpose: "a workflow that looks at the address and the certificates of a self-hosted runner",
    path: ".github/workflows/runner.yml",
    text: selfHosted,
  },
  "incident_issues.yml": {
    purpose: "a workflow that reacts to the issues of incidents",
    path: ".github/workflows/incident.yml",
    text: incidentIssues,
  },
  "outside_scheduler.sh": {
    purpose: "a script that starts checks from an outside scheduler, on time",
    path: "/usr/local/bin/monitor-dispatch",
    text: outsideScheduler,
  },
} satisfies Record<string, Example>;
