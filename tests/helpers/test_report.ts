/** Text of a module that imports test files, with a test at the end of each if `hasEnds`. */
export function moduleOf(
  files: readonly string[],
  { toUrl, hasEnds }: { toUrl(file: string): string; hasEnds: boolean },
): string {
  const end = (file: string) =>
    hasEnds ? `Deno.test(${JSON.stringify(endOf(file))}, () => {});\n` : "";
  const imports = files.map((file) => {
    const message = JSON.stringify(`Cannot import ${file}`);
    return `await import(${JSON.stringify(toUrl(file))})` +
      `.catch((cause) => { throw new Error(${message}, { cause }); });\n${end(file)}`;
  });
  return [end(IMPORTS), ...imports].join("");
}

function endOf(file: string): string {
  return `end of ${file}`;
}

/** Comes before the files of a module, so that the first of them has a start. */
const IMPORTS = "imports";

/** The tests of one file so far. */
interface FileResults {
  passed: number;
  failed: number;
  ignored: number;
  /** Tests that an error outside of a test kept from running. */
  cancelled: number;
  /** Milliseconds of the end of the file before. */
  since: number;
}

const PART = String.raw`\S*\b(part_\d+)\.ts`;
const RESULT = new RegExp(
  String.raw`^${PART} => (.+?) \.\.\. (ok|FAILED|ignored|cancelled)(?: \(.*\))?$`,
);
const UNCAUGHT = new RegExp(String.raw`^Uncaught error from ${PART} FAILED$`);
const UNCAUGHT_TITLE = new RegExp(String.raw`^${PART} \(uncaught error\)$`);
/** A test after its output: a line with its result follows. */
const OUTPUT_END = new RegExp(String.raw`^.*${PART} => .*?(?=----- .*output end -----)`);
const SUMMARY = /^(ok|FAILED) \| (\d+) passed(.*?) \| (\d+) failed/;

/**
 * Turns the lines of `deno test` about modules that import test files into lines about these files: one
 * for each file, and one for each test that failed or was ignored. Other lines stay as they are.
 */
export class TestReport {
  readonly #print: (line: string) => void;
  readonly #now: () => number;
  readonly #files: ReadonlyMap<string, readonly string[]>;
  readonly #results = new Map<string, FileResults>();
  /** Number of ended files by module. */
  readonly #ended = new Map<string, number>();
  /** Places of errors outside of tests, by module. */
  readonly #uncaught = new Map<string, string>();
  #passedEnds = 0;
  #cancelledEnds = 0;

  /** `files` are the test files of each module, in order; without, each test gets a line. */
  constructor(
    print: (line: string) => void,
    { files = new Map(), now = () => performance.now() }: {
      files?: ReadonlyMap<string, readonly string[]>;
      now?: () => number;
    } = {},
  ) {
    this.#print = print;
    this.#files = new Map([...files].map(([part, own]) => [part, [IMPORTS, ...own]]));
    this.#now = now;
  }

  /** Takes a line of Deno, which may have colors. */
  take(line: string): void {
    const plain = withoutColors(line).trimEnd();
    const result = RESULT.exec(plain);
    if (result !== null) return this.#takeResult(plain, result);
    const uncaught = UNCAUGHT.exec(plain);
    if (uncaught !== null) {
      const place = this.#place(uncaught[1]!);
      this.#uncaught.set(uncaught[1]!, place);
      return this.#print(`Uncaught error in ${place}`);
    }
    const title = UNCAUGHT_TITLE.exec(plain);
    if (title !== null) {
      return this.#print(`${this.#uncaught.get(title[1]!) ?? title[1]} (uncaught error)`);
    }
    const summary = SUMMARY.exec(plain);
    if (summary === null) return this.#print(line.replace(OUTPUT_END, ""));
    const [start, word, passed, steps, failed] = summary;
    this.#print(
      `${word} | ${Number(passed) - this.#passedEnds} passed${steps} | ` +
        `${Number(failed) - this.#cancelledEnds} failed${plain.slice(start.length)}`,
    );
  }

  /** Prints which modules ended early, as after an error between two tests or a crash of Deno. */
  end(): void {
    for (const [part, files] of this.#files) {
      const isWhole = (this.#ended.get(part) ?? 0) === files.length;
      if (!isWhole && !this.#uncaught.has(part)) this.#print(`Ended early: ${this.#place(part)}`);
    }
  }

  #takeResult(line: string, [, part, name, word]: RegExpExecArray): void {
    const results = this.#results.get(part!) ?? emptyResults(this.#now());
    this.#results.set(part!, results);
    const file = this.#currentFile(part!);
    if (file !== undefined && name === endOf(file)) {
      this.#endFile(part!, file, results);
      if (word === "ok") this.#passedEnds++;
      else this.#cancelledEnds++;
      return;
    }
    const text = line.slice(line.indexOf(" => ") + 4);
    if (!name!.includes(" ... ")) {
      if (word === "ok") results.passed++;
      else if (word === "FAILED") results.failed++;
      else if (word === "ignored") results.ignored++;
      else results.cancelled++;
    }
    if (this.#files.size === 0 || word === "FAILED" || word === "ignored") this.#print(text);
  }

  #endFile(part: string, file: string, results: FileResults): void {
    const { passed, failed, ignored, cancelled, since } = results;
    const now = this.#now();
    const word = failed + cancelled > 0 ? "FAILED" : "ok";
    const counts = [
      `${passed} passed`,
      ...failed > 0 ? [`${failed} failed`] : [],
      ...ignored > 0 ? [`${ignored} ignored`] : [],
      ...cancelled > 0 ? [`${cancelled} not run`] : [],
    ];
    const line = `${word} ${file}: ${counts.join(", ")} (${Math.round(now - since)} ms)`;
    if (file !== IMPORTS) this.#print(line);
    this.#results.set(part, emptyResults(now));
    this.#ended.set(part, (this.#ended.get(part) ?? 0) + 1);
  }

  /** The file that a module runs now. */
  #currentFile(part: string): string | undefined {
    return this.#files.get(part)?.[this.#ended.get(part) ?? 0];
  }

  /** An error of an import names the file itself. */
  #place(part: string): string {
    const file = this.#currentFile(part);
    return file === undefined || file === IMPORTS ? part : `${part}, while ./${file} ran`;
  }
}

function emptyResults(since: number): FileResults {
  return { passed: 0, failed: 0, ignored: 0, cancelled: 0, since };
}

function withoutColors(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replaceAll(/\x1b\[[\d;]*m/g, "");
}
