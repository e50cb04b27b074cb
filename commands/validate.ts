import { billing } from "../lib/billing/billing.ts";
import { loadConfig } from "../lib/config/load.ts";
import { isUsable } from "../lib/config/problem.ts";
import { allSecretNames } from "../lib/config/secrets/secret_names.ts";
import type { Command } from "../lib/context.ts";
import { writeJobReport } from "../lib/doors/job.ts";
import { folderWorkspace } from "../lib/doors/workspace.ts";
import {
  type Validation,
  validationJson,
  validationSummary,
  validationText,
} from "../templates/validation.ts";

/** Says what is wrong with the configuration, what would be monitored, how often, and what that costs. */
export const validate: Command = async (context) => {
  const { root, log, json, dryRun, secrets, environment } = context;
  const { config, problems, file } = await loadConfig(folderWorkspace(root), root, context.config);
  const names = config === undefined ? [] : allSecretNames(config);
  const validation: Validation = {
    file,
    problems,
    config,
    billing: config && billing(config),
    secrets: names,
    missing: secrets.isEmpty
      ? []
      : secrets.substitute(names.map((name) => `$${name}`).join(" ")).missing,
  };
  for (const problem of problems) log.problem(problem, file);
  log.line(validationText(validation));
  if (json) log.data(validationJson(validation));
  if (environment.onPlatform && !dryRun) {
    await writeJobReport(root, { outputs: {}, summary: validationSummary(validation) });
  }
  return isUsable(problems) ? 0 : 2;
};
