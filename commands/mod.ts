import type { Command } from "./shared/context.ts";
import type { CommandHelp } from "../templates/terminal/help.ts";

/** A command: its help, and its module, which is loaded when the command runs. */
export interface CommandEntry extends CommandHelp {
  /** Set if it works in the given folder itself, even if the configuration is in one above. */
  startsHere?: true;
  /** Set if it makes the given folder. */
  makesFolder?: true;
  /** Set if it never writes, and needs no permission to. */
  readsOnly?: true;
  /** Set if its output is a document; everything else goes to stderr. */
  printsDocument?: true;
  /** Set if it is only for people: no job on GitHub runs it. */
  byHand?: true;
  load(): Promise<Command>;
}

const FRESH = {
  "--fresh": "start a new history in a repository that contains Upptime's, without importing it",
};

const DRY_RUN = {
  "--dry-run": "print what would be written and sent; write and send nothing",
};

const AT_LOCATION = {
  "--location NAME": "check as this location of the configuration",
};

const RESULTS = {
  "--results PATH":
    "update: folder or .json file with results of other jobs; probe: one to write to",
};

const TIMED = {
  "--for LENGTH": "duration, such as 90m, 4h or 2d; ack: instead of ackFor",
  "--all": "ack: all open incidents; others: all sites",
};
const BY = { "--by NAME": "name shown in messages, instead of git's user.name" };

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  "init": {
    help: "write the files a new repository needs; overwrites nothing",
    group: "Start",
    example: "example.com db.example.com:5432 --name Acme",
    takes: "[ADDRESS...]",
    options: {
      "--url ADDRESS": "address to monitor, same as ADDRESS; can be repeated",
      "--name NAME": "name of the status page",
      "--alerts CHANNEL":
        "webhook of Slack, Discord, Teams or others (gets a test message), or a channel type",
      "--domain DOMAIN": "own domain of the status page",
      "--visibility KIND":
        "public or private; private repositories get a schedule within the free minutes",
      "--action ACTION": "owner/name@ref of the action in the workflows, for a fork or mirror",
      "--yes": "ask nothing: use the defaults",
      ...DRY_RUN,
    },
    startsHere: true,
    makesFolder: true,
    byHand: true,
    load: async () => (await import("./init.ts")).init,
  },
  "import": {
    help: "convert an Upptime repository, with its whole history",
    group: "Start",
    example: "upptime --dry-run",
    takes: "upptime",
    options: {
      "--move-graphs": "move graphs off the branch; lists the addresses that break",
      ...DRY_RUN,
    },
    startsHere: true,
    load: async () => (await import("./import.ts")).importUpptime,
  },
  "check": {
    help: "check one site or any address, with every detail",
    group: "Start",
    example: "https://example.com",
    takes: "NAME|ADDRESS",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./check.ts")).check,
  },
  "validate": {
    help: "check the configuration; show sites, schedule and cost",
    group: "Start",
    example: "",
    load: async () => (await import("./validate.ts")).validate,
  },
  "set-secret": {
    help: "save a value from stdin as an encrypted secret",
    group: "Start",
    example: "SLACK_WEBHOOK_URL < webhook.txt",
    takes: "NAME",
    readsOnly: true,
    load: async () => (await import("./set-secret.ts")).setSecret,
  },
  "notify-test": {
    help: "send a test event to every channel and show the answers",
    group: "Start",
    example: "--secrets .env",
    takes: "[TYPE]",
    options: {
      "--preview": "show each kind of message of the channels, or of a channel TYPE; sends nothing",
      "--channel N": "only the channel with this number, as --dry-run lists them",
      ...DRY_RUN,
    },
    readsOnly: true,
    load: async () => (await import("./notify-test.ts")).notifyTest,
  },
  "doctor": {
    help: "examine the setup and report what to change",
    group: "Start",
    example: "",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./doctor.ts")).doctor,
  },
  "update": {
    help: "check all sites, record results, open and close incidents",
    group: "Run",
    example: "--dry-run",
    options: {
      ...FRESH,
      ...AT_LOCATION,
      ...RESULTS,
      ...DRY_RUN,
    },
    load: async () => (await import("./update.ts")).update,
  },
  "probe": {
    help: "check the sites of a location or shard; update combines the results",
    example: "--location Frankfurt",
    options: {
      ...AT_LOCATION,
      "--shard K/N": "only the sites of this shard, such as 2/10",
      ...RESULTS,
    },
    load: async () => (await import("./probe.ts")).probe,
  },
  "serve": {
    help: "serve the status page here, and rebuild it on changes",
    group: "Run",
    example: "--port 8000",
    options: {
      ...FRESH,
      "--port N": "port, 0 for any free one; default 8080",
    },
    byHand: true,
    load: async () => (await import("./serve.ts")).serve,
  },
  "maintenance": {
    help: "list, start or stop maintenance",
    group: "Run",
    example: 'start Shop --for 90m --reason "Move to a new server"',
    takes: "[start SITE... | stop]",
    options: {
      ...FRESH,
      ...TIMED,
      "--reason TEXT": "start: reason shown to people",
    },
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./maintenance.ts")).maintenance,
  },
  "ack": {
    help: "acknowledge incidents: reminders and escalations stop",
    group: "Run",
    example: 'Shop --for 2h --by "Ann Smith"',
    takes: "[NAME|ID...]",
    options: {
      ...TIMED,
      ...BY,
    },
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./ack.ts")).ack,
  },
  "announce": {
    help: "open, update or resolve an incident that people report",
    example: '"Payments are slow" --sites Cards,Checkout --impact degraded',
    takes: "[TITLE|TEXT]",
    options: {
      "--sites NAMES": "affected sites by name or slug, with commas between them",
      "--impact IMPACT": "none, degraded (default), partial or major",
      "--text TEXT": "what people should know, as Markdown",
      "--update NUMBER": "comment TEXT on the issue of an incident",
      "--phase PHASE": "update: investigating, identified, monitoring or post-mortem",
      "--resolve NUMBER": "close the issue of an incident, with TEXT if it is given",
    },
    readsOnly: true,
    load: async () => (await import("./announce.ts")).announce,
  },
  "mute": {
    help: "send no messages about sites for some time, or end that",
    example: "Shop --for 2h",
    takes: "NAME...",
    options: {
      ...TIMED,
      "--end": "unmute now",
      ...BY,
    },
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./mute.ts")).mute,
  },
  "beat": {
    help: "report for a heartbeat that its job has started or ended",
    example: "Backup $?",
    takes: "NAME [ok | start | fail | CODE]",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./beat.ts")).beat,
  },
  "status": {
    help: "show the status of all sites, or one site in detail",
    group: "Look",
    example: "Shop",
    takes: "[NAME]",
    options: {
      "--archived": "sites that are no longer configured, with their whole history",
      "--healthy": "exit with 1 if the last check is older than three intervals; works offline",
    },
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./status.ts")).status,
  },
  "incidents": {
    help: "list incidents with new comments, or show one",
    group: "Look",
    example: "12",
    options: FRESH,
    takes: "[ID]",
    byHand: true,
    load: async () => (await import("./incidents.ts")).incidents,
  },
  "report": {
    help: "print uptime, incidents and objectives of a month",
    group: "Look",
    example: "--month 2026-10 --format csv",
    options: {
      "--month MONTH": "month as YYYY-MM, instead of the last complete month",
      "--format FORMAT": "markdown, csv (a row per site) or csv-incidents (a row per incident)",
    },
    printsDocument: true,
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./report.ts")).report,
  },
  "watch": {
    help: "run update on its own schedule until it is stopped",
    group: "Run",
    example: "--jitter 3",
    options: {
      ...FRESH,
      ...AT_LOCATION,
      "--once": "make one run and exit",
      "--jitter SECONDS": "delay each run by a random time of up to this many seconds",
    },
    byHand: true,
    load: async () => {
      const [{ watchWith }, { update }] = await Promise.all([
        import("./watch.ts"),
        import("./update.ts"),
      ]);
      return watchWith(update);
    },
  },
  "response-time": {
    help: "roll up the checks of past days; write statistics and badges",
    example: "",
    options: FRESH,
    load: async () => (await import("./response-time.ts")).responseTime,
  },
  "graphs": {
    help: "draw graphs of response times and publish them",
    example: "",
    options: FRESH,
    load: async () => (await import("./graphs.ts")).graphs,
  },
  "site": {
    help: "build the status page",
    example: "",
    options: FRESH,
    load: async () => (await import("./site.ts")).site,
  },
  "readme": {
    help: "write the status summary into the README, between its markers",
    example: "--add-markers",
    options: {
      ...FRESH,
      "--add-markers": "add the comments between which the summary is written, or create a README",
    },
    load: async () => (await import("./readme.ts")).readme,
  },
  "update-template": {
    help: "update the workflow files to the configuration and the newest version",
    example: "--dry-run",
    options: {
      ...FRESH,
      "--force": "replace workflows that were changed or written by hand",
      ...DRY_RUN,
    },
    load: async () => (await import("./update-template.ts")).updateTemplate,
  },
  "state": {
    help: "show what waits for the next commit, and the run state; writes nothing",
    example: "",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./state.ts")).state,
  },
  "dispatch": {
    help: "start a workflow by its event, such as static_site",
    example: "static_site",
    takes: "EVENT",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./dispatch.ts")).dispatch,
  },
};
