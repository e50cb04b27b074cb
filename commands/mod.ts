import type { Command } from "./shared/context.ts";
import type { CommandHelp } from "../templates/terminal/usage.ts";

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
  /** Whether it is for people, and no job of the platform runs it. */
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
    help: "roll up the checks of past days, and write statistics and badges",
    options: ["fresh"],
    load: async () => (await import("./response-time.ts")).responseTime,
  },
  "graphs": {
    help: "draw graphs of response times, and publish them",
    options: ["fresh"],
    load: async () => (await import("./graphs.ts")).graphs,
  },
  "site": {
    help: "build the status page",
    options: ["fresh"],
    load: async () => (await import("./site.ts")).site,
  },
  "readme": {
    help: "write how all sites are into the README, between its markers",
    options: ["fresh", "add-markers"],
    load: async () => (await import("./readme.ts")).readme,
  },
  "update-template": {
    help: "bring the workflows up to date with the configuration and the newest version",
    options: ["fresh", "force"],
    load: async () => (await import("./update-template.ts")).updateTemplate,
  },
  "serve": {
    help: "build the status page, serve it on this machine, and build it anew on every change",
    options: ["fresh", "port"],
    byHand: true,
    load: async () => (await import("./serve.ts")).serve,
  },
  "validate": {
    help: "say what is wrong with the configuration, what it monitors, and what that costs",
    load: async () => (await import("./validate.ts")).validate,
  },
  "check": {
    help: "look at one site once and show everything that is seen; nothing is written",
    takes: "NAME",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./check.ts")).check,
  },
  "status": {
    help: "show how all sites are, or one of them closely; nothing is written",
    takes: "[NAME]",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./status.ts")).status,
  },
  "incidents": {
    help: "read what people write on incidents, and show them, or one by id, issue number or site",
    options: ["fresh"],
    takes: "[ID]",
    byHand: true,
    load: async () => (await import("./incidents.ts")).incidents,
  },
  "report": {
    help: "print uptime, incidents and objectives of a month as a document; nothing is written",
    options: ["month", "format"],
    printsDocument: true,
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./report.ts")).report,
  },
  "maintenance": {
    help: "show the maintenance that goes on and is ahead, begin one now, or end it",
    takes: "[start SITE... | stop]",
    options: ["fresh", "for", "reason", "all"],
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./maintenance.ts")).maintenance,
  },
  "state": {
    help: "show what waits for the next commit, and what runs remember; nothing is written",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./state.ts")).state,
  },
  "dispatch": {
    help: "start a workflow of the repository by its event, such as static_site",
    takes: "EVENT",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./dispatch.ts")).dispatch,
  },
  "notify-test": {
    help: "send a test event to every channel, and show what each answered",
    options: ["channel"],
    readsOnly: true,
    load: async () => (await import("./notify-test.ts")).notifyTest,
  },
  "doctor": {
    help: "see whether everything is set up as it has to be, and say what to change",
    readsOnly: true,
    byHand: true,
    load: async () => (await import("./doctor.ts")).doctor,
  },
  "set-secret": {
    help: "save what is piped in as a secret of the repository, sealed",
    takes: "NAME",
    readsOnly: true,
    load: async () => (await import("./set-secret.ts")).setSecret,
  },
  "init": {
    help: "write all that a new repository needs, and never over what is there",
    options: ["url"],
    byHand: true,
    load: async () => (await import("./init.ts")).init,
  },
};
