import type { Command } from "./shared/context.ts";
import type { CommandHelp } from "../templates/terminal/help.ts";

/** Options that not every command takes, as they are written. */
export type CommandOption =
  | "url"
  | "channel"
  | "month"
  | "format"
  | "for"
  | "reason"
  | "all"
  | "add-markers"
  | "force"
  | "fresh"
  | "port";

/** A command: what its help says, and the module that is loaded when it is asked for. */
export interface CommandEntry extends CommandHelp {
  /** Whether it writes nothing, and needs no right to. */
  readsOnly?: true;
  /** The options that not every command takes; one with `fresh` continues the history of a folder. */
  options?: readonly CommandOption[];
  /** Whether what it prints is a document: all else goes to stderr. */
  printsDocument?: true;
  /** Whether it is for people, and no job of GitHub runs it. */
  byHand?: true;
  load(): Promise<Command>;
}

/** Every command of the program. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  "update": {
    help: "check every site, record the results, open and close incidents",
    options: ["fresh"],
    load: async () => (await import("./update.ts")).update,
  },
  "response-time": {
    help: "roll up the checks of past days; write statistics and badges",
    options: ["fresh"],
    load: async () => (await import("./response-time.ts")).responseTime,
  },
  "graphs": {
    help: "draw graphs of response times and publish them",
    options: ["fresh"],
    load: async () => (await import("./graphs.ts")).graphs,
  },
  "site": {
    help: "build the status page",
    options: ["fresh"],
    load: async () => (await import("./site.ts")).site,
  },
  "readme": {
    help: "write the status summary into the README, between its markers",
    options: ["fresh", "add-markers"],
    load: async () => (await import("./readme.ts")).readme,
  },
  "update-template": {
    help: "update the workflow files from the configuration and to the newest version",
    options: ["fresh", "force"],
    load: async () => (await import("./update-template.ts")).updateTemplate,
  },
  "serve": {
    help: "build the status page, serve it on this machine, and rebuild it on every change",
    options: ["fresh", "port"],
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
    options: ["fresh"],
    takes: "[ID]",
    byHand: true,
    load: async () => (await import("./incidents.ts")).incidents,
  },
  "report": {
    help: "print uptime, incidents and objectives of a month as a document; writes nothing",
    options: ["month", "format"],
    printsDocument: true,
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./report.ts")).report,
  },
  "maintenance": {
    help: "show ongoing and planned maintenance, start maintenance now, or end it",
    takes: "[start SITE... | stop]",
    options: ["fresh", "for", "reason", "all"],
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
    options: ["channel"],
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
    options: ["url"],
    byHand: true,
    load: async () => (await import("./init.ts")).init,
  },
};
