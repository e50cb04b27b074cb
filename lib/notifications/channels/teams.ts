import type { Channel } from "./channel.ts";
import { httpChannel } from "./http/http_channel.ts";
import { teamsMessage } from "./teams/message.ts";

/**
 * A workflow of Microsoft Teams that begins "When a Teams webhook request is received"
 * (learn.microsoft.com/microsoftteams/github/webhooks-and-connectors/how-to/connectors-using). The
 * query of its address is signed, and stays as it is. A connector, which workflows have replaced,
 * answers 200 also where it could not post: its words tell.
 */
export const teams: Channel = httpChannel({
  vendor: "Teams",
  requests: (outgoing) => [{
    method: "POST",
    address: outgoing.filler.address(outgoing.notification["webhook-url"] ?? ""),
    body: teamsMessage(outgoing),
  }],
  statusOf({ status, body }) {
    if (status !== 200 || !/\b(?:error|failed)\b/i.test(body)) return status;
    return Number(/HTTP error (\d{3})/i.exec(body)?.[1] ?? 400);
  },
  cures: [
    {
      says: /WorkflowTriggerIsNotEnabled|WorkflowNotActivated|TriggerDisabled/,
      cure: "the workflow is turned off: turn it on in Teams or Power Automate",
    },
    {
      says: /DirectApiAuthorizationRequired|InvalidTemplateToken|AuthorizationFailed|signature/i,
      cure:
        "the address is not complete, or anyone must be allowed to trigger the workflow: copy the whole of it anew, in quotes, to webhook-url",
    },
    {
      says: /WorkflowNotFound|Invalid webhook URL|connector configuration/i,
      cure: "the workflow or connector was deleted: make a new workflow and change webhook-url",
    },
  ],
});
