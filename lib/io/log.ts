import { fit } from "../text/columns.ts";
import { paint, renderPaint, withoutPaint } from "../text/paint.ts";
import { plainLines } from "../text/plain_text.ts";
import { formatTime } from "../time.ts";
import { FEWEST_COLUMNS, wrapLine } from "../text/wrap.ts";
import type { Output, Stream } from "./environment.ts";
import { LiveLine } from "./live_line.ts";
import { formatPath, formatProblem, type Problem } from "./problem.ts";
import type { Secrets } from "./secrets/secrets.ts";

export interface LogOptions {
  secrets: Secrets;
  /** True if GitHub Actions reads the output: annotations, groups and masks are commands to it. */
  onGitHub: boolean;
  /** True if stdout is a terminal, so that a progress line can be redrawn. */
  terminal: boolean;
  /** `quiet` leaves only warnings and errors, `changes` also what has changed, `verbose` adds details. */
  level: "quiet" | "changes" | "normal" | "verbose";
  /** The time, if each line of text starts with it. */
  stamp?(): string;
  /** True if stdout is for {@linkcode Log.data} only; everything else then goes to stderr. */
  dataOnly: boolean;
  stdout: Output;
  stderr: Output;
  columns(stream: Stream): number | undefined;
  /** The line below what is printed, if another log has one already. */
  live?: LiveLine;
}

const FRAMES = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
/** Milliseconds between redraws of progress, and of a status. */
const FRAME_TIME = 100;
const STATUS_TIME = 1_000;

/**
 * The only way to the terminal. What is printed is redacted, steers neither the terminal nor the order of reading,
 * and only intended lines are commands to GitHub. On a terminal, lines are wrapped at words.
 */
export class Log {
  readonly #options: LogOptions;
  readonly #stream: Stream;
  #failure?: unknown;
  /** Warnings and errors of the last period and of this one; absent if there are no periods. */
  #periods?: { before: ReadonlySet<string>; now: Set<string> };
  #frame = 0;
  /** On a terminal, the line below what is printed. */
  readonly live: LiveLine;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#stream = options.dataOnly ? "stderr" : "stdout";
    this.live = options.live ??
      new LiveLine((text) => this.#write(text), () => options.columns("stdout"));
    this.#announce();
  }

  /** Keeps a text out of everything that is printed from now on, also by others in the same job. */
  mask(text: string): void {
    this.#options.secrets.derive(text);
    this.#announce(text);
  }

  #announce(text?: string): void {
    const { onGitHub, secrets } = this.#options;
    if (!onGitHub) return;
    for (const value of secrets.masked(text)) this.#write(command("add-mask", {}, value));
  }

  /** Starts a period: it prints each warning and error once, and none that the period before had as well. */
  startPeriod(): void {
    this.#periods = { before: this.#periods?.now ?? new Set(), now: new Set() };
  }

  /** True if a person sees the lines of the result and all warnings below each other. */
  get showsLines(): boolean {
    return !this.#options.onGitHub && this.#showsAll;
  }

  get #showsAll(): boolean {
    return this.#options.level === "normal" || this.#options.level === "verbose";
  }

  line(text = ""): void {
    if (this.#showsAll) this.#print(text);
  }

  /** A row of a table that a log of changes starts with on a terminal, where nobody needs the time of each. */
  firstRow(text: string): void {
    if (this.#options.level === "changes" && this.live.isStatus) this.#print(text, { stamp: "" });
    else this.line(text);
  }

  change(text: string): void {
    if (this.#options.level !== "quiet") this.#print(text);
  }

  detail(text: string): void {
    if (this.#options.level === "verbose") this.#print(paint.dim(text));
  }

  warn(text: string): void {
    this.#report("warning", text);
  }

  error(text: string): void {
    this.#report("error", text);
  }

  /** Logs a problem of the configuration, which GitHub shows at its line. */
  problem(problem: Problem, file: string): void {
    if (this.#options.onGitHub) {
      const { severity, line, column, path, message } = problem;
      const place = { file, ...(line === undefined ? {} : { line, col: column ?? 1 }) };
      const words = [formatPath(path), message].filter((part) => part !== "").join(": ");
      this.#command(severity, { ...place, title: "Configuration" }, words);
    } else if (problem.severity !== "notice" || this.#options.level !== "quiet") {
      this.#print(`${mark(problem.severity)} ${formatProblem(problem, file)}`, {
        stream: "stderr",
      });
    }
  }

  group(title: string): void {
    if (this.#options.onGitHub && this.#showsAll) this.#command("group", {}, title);
    else this.line(title);
  }

  endGroup(): void {
    if (this.#options.onGitHub && this.#showsAll) this.#command("endgroup", {}, "");
  }

  /**
   * Shows progress below the printed lines, on a terminal without a {@linkcode status} only; a function is asked anew
   * for each frame.
   */
  progress(text: string | (() => string)): void {
    const { terminal, onGitHub, level } = this.#options;
    if (!terminal || onGitHub || level === "quiet" || this.live.isStatus) return;
    const ask = typeof text === "string" ? () => text : text;
    this.live.show((columns) => {
      this.#frame = (this.#frame + 1) % FRAMES.length;
      const line = `${paint.cyan(FRAMES[this.#frame]!)} ${fit(this.#toLine(ask()), columns - 3)}`;
      return line.trimEnd();
    }, { milliseconds: FRAME_TIME, isStatus: false });
  }

  /** Reports a step: on a line if {@linkcode progress} is not shown. */
  step(text: string): void {
    if (!this.#options.terminal || this.live.isStatus) this.line(text);
  }

  endProgress(): void {
    if (!this.live.isStatus) this.live.end();
  }

  /** Shows a line below the printed ones until it is ended, on a terminal only; it is asked anew each second. */
  status(text: (columns: number) => string): void {
    const { columns, onGitHub, level } = this.#options;
    if (columns("stdout") === undefined || onGitHub || level === "quiet") return;
    this.live.show((columns) => fit(this.#toLine(text(columns - 1)), columns - 1), {
      milliseconds: STATUS_TIME,
      isStatus: true,
    });
  }

  endStatus(): void {
    this.live.end();
  }

  #toLine(text: string): string {
    return this.#safe(text).replaceAll(/\s+/g, " ");
  }

  /** Prints data as JSON, whatever the level: moments as text, and maps as objects. */
  data(value: unknown): void {
    this.live.clear();
    const { secrets } = this.#options;
    // Texts are redacted one by one, so that what is printed stays JSON whatever the secrets are.
    const text = JSON.stringify(value, function (this: Record<string, unknown>, key, standard) {
      const given = this[key] instanceof Temporal.Instant ? formatTime(this[key]) : standard;
      if (typeof given === "string") return secrets.redact(given);
      return given instanceof Map ? Object.fromEntries(given) : given;
    }, 2);
    this.#write(`${text.replaceAll(STEERING, escapeUnit)}\n`, "stdout");
  }

  /** A document that may be redirected into a file, whatever the level: only a terminal gets it with colors. */
  document(text: string): void {
    this.live.clear();
    const { onGitHub, secrets, columns } = this.#options;
    const isShown = onGitHub || columns("stdout") !== undefined;
    this.#write(isShown ? renderPaint(this.#safe(text)) : secrets.redact(text), "stdout");
  }

  /** Why output could not be written; a closed reader is no failure. */
  get failure(): string | undefined {
    if (this.#failure === undefined) return undefined;
    return this.#failure instanceof Error ? this.#failure.message : String(this.#failure);
  }

  #report(severity: "warning" | "error", text: string): void {
    // It grows from run to run.
    const topic = text.replace(/\bin \d+ runs?\b/, "");
    const isKnown = this.#periods?.before.has(topic) || this.#periods?.now.has(topic);
    this.#periods?.now.add(topic);
    if (isKnown) return;
    if (this.#options.onGitHub) this.#command(severity, {}, text);
    else this.#print(`${mark(severity)} ${text}`, { stream: "stderr" });
  }

  #print(
    text: string,
    { stream = this.#stream, stamp = this.#options.stamp?.() ?? "" }: {
      stream?: Stream;
      stamp?: string;
    } = {},
  ): void {
    this.live.clear();
    const start = stamp === "" ? "" : `${paint.dim(stamp)} `;
    const shown = start + this.#safe(text);
    const columns = this.#options.columns(stream);
    const lines = columns === undefined ? withoutPaint(shown) : renderPaint(
      shown.split("\n").flatMap((line) => wrapLine(line, Math.max(FEWEST_COLUMNS, columns)))
        .join("\n"),
    );
    this.#write(`${lines}\n`, stream);
    this.live.draw();
  }

  #command(name: string, properties: Record<string, string | number>, text: string): void {
    this.live.clear();
    const clean = (value: string | number) =>
      typeof value === "string" ? withoutPaint(this.#clean(value)) : value;
    const cleaned = Object.entries(properties).map(([key, value]) => [key, clean(value)]);
    const shown = withoutPaint(this.#clean(text)).replaceAll("##[", "## [");
    this.#write(command(name, Object.fromEntries(cleaned), shown));
  }

  /** A closed reader does not stop the work. */
  #write(text: string, stream = this.#stream): void {
    let bytes = new TextEncoder().encode(text);
    try {
      while (bytes.length > 0) bytes = bytes.subarray(this.#options[stream].writeSync(bytes));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) this.#failure ??= error;
    }
  }

  #safe(text: string): string {
    return withoutCommands(this.#clean(text));
  }

  #clean(text: string): string {
    return this.#options.secrets.redactPlain(text, plainLines);
  }
}

/** Control characters beyond those that JSON escapes itself, and marks that turn the direction of text. */
const STEERING = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function mark(severity: Problem["severity"]): string {
  if (severity === "error") return paint.red("error:");
  return severity === "warning" ? paint.yellow("warning:") : paint.dim("note:");
}

/**
 * A text that GitHub takes no command from: it looks for `::` at the start of a line, blanks
 * aside, and for `##[` anywhere (github.com/actions/runner, ActionCommand.cs).
 */
function withoutCommands(text: string): string {
  return text.replace(/^(\s*)::/gmu, "$1: :").replaceAll("##[", "## [");
}

function command(
  name: string,
  properties: Record<string, string | number>,
  text: string,
): string {
  const escape = (value: string) =>
    value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const pairs = Object.entries(properties).map(([key, value]) =>
    `${key}=${escape(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`
  );
  return `::${name}${pairs.length > 0 ? ` ${pairs.join(",")}` : ""}::${escape(text)}\n`;
}
