import { isUpptimeWorkflow, UPPTIME_CONFIG } from "../lib/config/upptime/repository.ts";
import {
  findPassedChannels,
  parsePassedSecrets,
  unsupportedNote,
  unsupportedServices,
  upptimeChannels,
} from "../lib/config/upptime/channels.ts";
import type { Notification } from "../lib/config/channels/keys.ts";
import { CONFIG_FILES } from "../lib/config/load.ts";
import { readYaml } from "../lib/config/yaml/read_yaml.ts";
import { isMap } from "../lib/config/document.ts";
import { listBlobs, readBlobs } from "../lib/git/objects.ts";
import { openGitHub } from "../lib/github/open_github.ts";
import { openRepository, readRepositoryInfo, type Repository } from "../lib/git/repository.ts";
import { CHECKS_FOLDER } from "../lib/history/checks_log.ts";
import { DAILY_FOLDER } from "../lib/history/daily_log.ts";
import { INCIDENTS_FOLDER } from "../lib/history/incident.ts";
import { HISTORY_FOLDER } from "../lib/config/record_path.ts";
import { WORKFLOW_FOLDER } from "../lib/config/workflows.ts";
import { workspaceFiles } from "../lib/history/store/files_store.ts";
import type { HistoryFiles } from "../lib/history/store/store.ts";
import { NothingToImportError, planImport } from "../lib/import/plan_import.ts";
import { type ReadIssues, readIssues } from "../lib/import/read_issues.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { planMarkers } from "../lib/setup/readme.ts";
import { toMarkers } from "../lib/setup/readme_markers.ts";
import { planImportedWorkflows } from "../lib/setup/workflow_files.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { joinFirst } from "../lib/text/words.ts";
import { importData, importText } from "../templates/terminal/import.ts";
import { formatRecorded } from "../templates/terminal/lines.ts";
import type { Command, Context } from "./shared/context.ts";
import { publishJobReport, reportResult } from "./shared/job_report.ts";
import {
  allFiles,
  type Planned,
  type PublishedImport,
  publishImport,
} from "./import/publish_import.ts";
import { createProgress } from "./shared/progress.ts";
import { githubOptions, whyNoGitHub } from "./shared/reach_github.ts";
import { madeWorkflows, newestAction } from "./shared/workflows.ts";
import { formatCommand } from "../lib/text/invocation.ts";

/** Folder of Upptime's graphs, which are on the branch. */
const GRAPHS = "graphs";

const [OUR_CONFIG] = CONFIG_FILES;

export const importUpptime: Command = async (context) => {
  const { root, log, words, dryRun, environment, options } = context;
  if (words.join(" ") !== "upptime") {
    const named = words.length === 0
      ? "Name the program to import from"
      : `Cannot import ${words.join(" ")}`;
    throw new UsageError(`${named}: write "${formatCommand("import upptime")}"`);
  }
  const repository = await openClone(root);
  const { remoteUrl } = await readRepositoryInfo(root);
  const issues = await readAllIssues(repository, remoteUrl, context);
  const channels = await findChannels(repository, context);
  const movesGraphs = options.has("move-graphs");
  const planAt = async (files: HistoryFiles, revision: string): Promise<Planned> => {
    const graphs = await listGraphs(repository, revision);
    const plan = await planImport({
      ...{ git: repository.git, revision, files, issues, channels: channels.known },
      keepsGraphs: graphs.length > 0 && !movesGraphs,
      movesGraphs,
      now: context.clock.now().epochMilliseconds,
      onProgress: createProgress("Reading versions", context),
    });
    log.endProgress();
    const { config, converted: { text } } = plan;
    const action = await newestAction(config, context);
    const made = await madeWorkflows({ config, file: OUR_CONFIG, text }, action);
    const workflows = await planImportedWorkflows(made, files);
    // Later its owner may have removed them.
    const readme = plan.isFirst ? await planMarkers(files, toMarkers(config)) : undefined;
    return { plan, workflows, graphs: movesGraphs ? graphs : [], readme };
  };
  let planned: Planned;
  let published: PublishedImport | undefined;
  try {
    if (environment.onGitHub && !dryRun) {
      ({ planned, published } = await publishImport(repository, planAt, context));
    } else {
      planned = await planAt(workspaceFiles(folderWorkspace(root)), "HEAD");
      if (!dryRun) await writeFiles(allFiles(planned), context);
    }
  } catch (error) {
    if (!(error instanceof NothingToImportError)) throw error;
    const [outputs, summary] = [{ imported: "false" }, `### ${error.message}\n`];
    await publishJobReport({ outputs, summary: () => summary }, context);
    throw error;
  }
  const files = allFiles(planned);
  const { plan, workflows, graphs } = planned;
  const notes = [
    ...issues.gap === undefined ? [] : [`not all issues were read: ${issues.gap}`],
    ...channels.notes,
    ...plan.maintenance.problems,
    ...planned.readme === undefined ? [] : [planned.readme.note],
    ...graphs.length === 0 ? [] : [
      `graphs move to the branch monitor-graphs, so these addresses break: ${
        joinFirst([...new Set(graphs.map((path) => path.split("/").slice(0, 2).join("/")))], 20)
      }`,
    ],
    ...published?.notes ?? [],
  ];
  const report = { plan, workflows, files, notes };
  const next = dryRun
    ? "Nothing was written."
    : published !== undefined
    ? `Imported${formatRecorded(published)}`
    : files.size === 0
    ? "Nothing is left to import."
    : nextSteps();
  const outputs = { imported: String(published !== undefined && published.hasWorkflows) };
  const text = `${importText(report)}\n${next}`;
  await reportResult(text, importData(report), context, { notes, outputs });
  return 0;
};

function nextSteps(): string {
  return [
    "Next:",
    `  ${formatCommand("validate")}  shows what is checked, and problems that are left`,
    '  git add --all && git commit --message "Move to Monitor Action" && git push',
  ].join("\n");
}

/** Opens the clone, which must have the whole past. */
async function openClone(root: string): Promise<Repository> {
  const repository = await openRepository(root);
  if (typeof repository === "string") {
    throw new UsageError(
      `Cannot import: ${repository}; run it in a clone of your Upptime repository`,
    );
  }
  if (repository.prefix !== "") {
    throw new UsageError(
      `Cannot import in ${repository.prefix}: run it at the top of the clone, ${repository.top}`,
    );
  }
  if (await repository.git.maybe(["rev-parse", "--quiet", "--verify", "HEAD"]) === undefined) {
    throw new UsageError(
      `Cannot import: the branch ${repository.branch} has no commits; check out the branch that Upptime commits to`,
    );
  }
  const listed = await repository.git.text(["ls-tree", "HEAD", "--", HISTORY_FOLDER]);
  if (listed !== "" && !listed.startsWith("040000 ")) {
    throw new UsageError(
      `Cannot import: ${HISTORY_FOLDER} is not a folder; rename it, and commit that`,
    );
  }
  if (await repository.git.text(["rev-parse", "--is-shallow-repository"]) === "true") {
    throw new UsageError(
      "Cannot import from a shallow clone, which lacks the past: run git fetch --unshallow --filter=blob:none first (in a workflow: actions/checkout with fetch-depth: 0 and filter: blob:none)",
    );
  }
  const tracked = await repository.git.text([
    ...["ls-files", "-t", "--", HISTORY_FOLDER, WORKFLOW_FOLDER],
  ]);
  if (/^S /m.test(tracked)) {
    throw new UsageError(
      "Cannot import: the sparse checkout leaves out files; run git sparse-checkout disable, or, to leave out the graphs only, git sparse-checkout set history .github",
    );
  }
  return repository;
}

async function listGraphs({ git }: Repository, revision: string): Promise<string[]> {
  const listed = await git.text(["ls-tree", "-r", "-z", "--name-only", revision, `${GRAPHS}/`]);
  return listed.split("\0").filter((path) => path.endsWith(".png"));
}

/** Reads the issues; without a token there are none, and the report says so. */
async function readAllIssues(
  { ownFolder }: Repository,
  remoteUrl: string | undefined,
  context: Context,
): Promise<ReadIssues> {
  const workspace = folderWorkspace(context.root);
  const text = await workspace.read(UPPTIME_CONFIG) ?? await workspace.read(OUR_CONFIG) ?? "";
  const { document } = await readYaml(text);
  const name = (key: string) =>
    isMap(document) && typeof document[key] === "string" ? document[key] : undefined;
  const config = { owner: name("owner"), repo: name("repo") };
  const options = githubOptions({ config, remoteUrl }, context);
  if (options === undefined) {
    const gap = whyNoGitHub(context.environment);
    return { issues: [], maintenance: [], updates: new Map(), gap };
  }
  context.log.progress("Reading issues");
  const read = await readIssues(options, {
    own: folderWorkspace(ownFolder),
    github: openGitHub(options),
    redact: (text) => context.secrets.redact(text),
  });
  context.log.endProgress();
  return read;
}

/** Types of channels that Upptime's secrets set up, and the starts of their names. */
const SECRETS_OF: Readonly<Record<string, string>> = {
  email: "NOTIFICATION_EMAIL",
  slack: "NOTIFICATION_SLACK",
  discord: "NOTIFICATION_DISCORD",
  telegram: "NOTIFICATION_TELEGRAM",
  teams: "NOTIFICATION_TEAMS",
  webhook: "NOTIFICATION_CUSTOM_WEBHOOK",
};

/**
 * Finds the channels that secrets set up. If they can't be seen, those that workflows pass by name count, or else the
 * person at the terminal is asked.
 */
async function findChannels(
  { git }: Repository,
  { secrets, environment, log, ask, json, dryRun }: Context,
): Promise<{ known: readonly Notification[]; notes: string[] }> {
  if (!secrets.isEmpty) {
    const value = (name: string) => secrets.value(name) ?? "";
    const note = unsupportedNote(unsupportedServices(secrets.names(), value));
    return { known: upptimeChannels(value), notes: note === undefined ? [] : [note] };
  }
  // Those of the commit: an import that was cut off may have replaced the files.
  const workflows = await listBlobs(git, "HEAD", `${WORKFLOW_FOLDER}/`);
  const texts = (await readBlobs(git, [...workflows.values()])).map((text) => text ?? "");
  const passed = parsePassedSecrets(texts.filter(isUpptimeWorkflow));
  if (passed.size > 0) {
    const note = unsupportedNote(
      unsupportedServices([...passed.keys()], (name) => passed.get(name)),
    );
    return { known: findPassedChannels(passed), notes: note === undefined ? [] : [note] };
  }
  const types = Object.keys(SECRETS_OF).join(", ");
  if (!environment.interactive || json || dryRun) {
    return {
      known: [],
      notes: [
        `a clone can't show which secrets are set: Upptime's alerts by ${types} keep working if their secrets are set; to list them under notifications, import with --secrets FILE`,
      ],
    };
  }
  const answer = ask(`Which of these did Upptime notify? ${types}`, "none") ?? "none";
  const chosen = answer.split(/[\s,]+/).filter((type) => Object.hasOwn(SECRETS_OF, type));
  log.detail(`Channels: ${chosen.join(", ") || "none"}`);
  const isChosen = (name: string) =>
    name !== "NOTIFICATION_EMAIL_SMTP_PORT" &&
    chosen.some((type) => name.startsWith(SECRETS_OF[type]!));
  return { known: upptimeChannels((name) => isChosen(name) ? "true" : ""), notes: [] };
}

const WRITTEN_FOLDERS = [
  ...["", HISTORY_FOLDER, CHECKS_FOLDER, DAILY_FOLDER, INCIDENTS_FOLDER, WORKFLOW_FOLDER],
];

async function writeFiles(
  files: ReadonlyMap<string, string | null>,
  { root }: Context,
): Promise<void> {
  const workspace = folderWorkspace(root);
  for (const folder of WRITTEN_FOLDERS) {
    // An import that was killed may have left the file that it was writing.
    const left = (await workspace.list(folder)).filter((name) => /\.[0-9a-f]{8}\.tmp$/.test(name));
    for (const name of left) await workspace.remove(folder === "" ? name : `${folder}/${name}`);
  }
  for (const [path, text] of files) {
    if (text === null) await workspace.remove(path);
    else await workspace.write(path, text);
  }
}
