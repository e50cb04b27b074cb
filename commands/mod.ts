import type { Command } from "./shared/context.ts";
import type { CommandHelp } from "../templates/terminal/help.ts";

/** A command: its help, and its module, which is loaded when the command runs. */
export interface CommandEntry extends CommandHelp {
  /** Set if it never writes, and needs no permission to. */
  readsOnly?: true;
  /** Set if its output is a document; everything else goes to stderr. */
  printsDocument?: true;
  /** Set if it is for people; no job of GitHub runs it. */
  byHand?: true;
  load(): Promise<Command>;
}

/** Option of the commands that continue the history of a folder. */
const FRESH = {
  "--fresh": "start a new history in a repository that contains Upptime's, without importing it",
};

/** All commands of the program. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  "update": {
    help: "check every site, record the results, open and close incidents",
    options: FRESH,
    load: async () => (await import("./update.ts")).update,
  },
  "response-time": {
    help: "roll up the checks of past days; write statistics and badges",
    options: FRESH,
    load: async () => (await import("./response-time.ts")).responseTime,
  },
  "graphs": {
    help: "draw graphs of response times and publish them",
    options: FRESH,
    load: async () => (await import("./graphs.ts")).graphs,
  },
  "site": {
    help: "build the status page",
    options: FRESH,
    load: async () => (await import("./site.ts")).site,
  },
  "readme": {
    help: "write the status summary into the README, between its markers",
    options: {
      ...FRESH,
      "--add-markers": "add the comments that mark the place of the summary, or create a README",
    },
    load: async () => (await import("./readme.ts")).readme,
  },
  "update-template": {
    help: "update the workflow files from the configuration and to the newest version",
    options: {
      ...FRESH,
      "--force": "replace workflows that were changed or written by hand",
    },
    load: async () => (await import("./update-template.ts")).updateTemplate,
  },
  "serve": {
    help: "build the status page, serve it on this machine, and rebuild it on every change",
    options: {
      ...FRESH,
      "--port N": "port, 0 for any free one; default 8080 or the next free one",
    },
    byHand: true,
    load: async () => (await import("./serve.ts")).serve,
  },
  "validate": {
    help: "report problems of the configuration, what it monitors, and what that costs",
    load: async () => (await import("./validate.ts")).validate,
  },
  "check": {
    help: "check one site once and show every detail; writes nothing",
    takes: "NAME",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./check.ts")).check,
  },
  "status": {
    help: "show the status of all sites, or one site in detail; writes nothing",
    takes: "[NAME]",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./status.ts")).status,
  },
  "incidents": {
    help:
      "read new comments on incidents and list incidents, or show one by id, issue number or site",
    options: FRESH,
    takes: "[ID]",
    byHand: true,
    load: async () => (await import("./incidents.ts")).incidents,
  },
  "report": {
    help: "print uptime, incidents and objectives of a month as a document; writes nothing",
    options: {
      "--month MONTH": "month as YYYY-MM, instead of the last complete month",
      "--format FORMAT": "markdown, csv (a row per site) or csv-incidents (a row per incident)",
    },
    printsDocument: true,
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./report.ts")).report,
  },
  "maintenance": {
    help: "show ongoing and planned maintenance, start maintenance now, or end it",
    takes: "[start SITE... | stop]",
    options: {
      ...FRESH,
      "--for LENGTH": "start: duration, such as 90m, 4h or 2d",
      "--reason TEXT": "start: reason shown to people",
      "--all": "start: all sites",
    },
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./maintenance.ts")).maintenance,
  },
  "state": {
    help: "show what waits for the next commit, and the run state; writes nothing",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./state.ts")).state,
  },
  "dispatch": {
    help: "start a workflow by its event, such as static_site",
    takes: "EVENT",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./dispatch.ts")).dispatch,
  },
  "notify-test": {
    help: "send a test event to every channel and show the answers",
    options: {
      "--channel N": "only the channel with this number, as --dry-run lists them",
    },
    readsOnly: true,
    load: async () => (await import("./notify-test.ts")).notifyTest,
  },
  "doctor": {
    help: "examine the setup and report what to change",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./doctor.ts")).doctor,
  },
  "set-secret": {
    help: "save a value from stdin as an encrypted repository secret",
    takes: "NAME",
    readsOnly: true,
    load: async () => (await import("./set-secret.ts")).setSecret,
  },
  "init": {
    help: "write the files a new repository needs; never overwrites existing files",
    options: { "--url ADDRESS": "address to monitor; can be repeated" },
    byHand: true,
    load: async () => (await import("./init.ts")).init,
  },
};
