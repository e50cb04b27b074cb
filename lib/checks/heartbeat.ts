import { resolve } from "node:path";
import { DISPATCH_VARIABLE } from "../config/checks/heartbeat.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { isMap } from "../config/document.ts";
import { parseJson } from "../text/safe_parse.ts";
import { utcMinute } from "../time.ts";
import { type Beat, parseBeat } from "./heartbeat/beat.ts";
import {
  addBeat,
  describeClock,
  evaluateHeartbeat,
  formatLocal,
  type Heartbeat,
} from "./heartbeat/heartbeat.ts";
import type { Details, Failure, Probe, ProbeContext } from "./observation.ts";

/** Bytes at the end of a file that are read for its last line. */
const TAIL = 1024;

const REMOVED = 'endpoint was removed: set file or variable, which "monitor beat" writes';

/** A place that beats come from, and what it holds; neither if nothing has come yet. */
interface Source {
  name: string;
  beats?: readonly Beat[];
  fault?: string;
}

/** Evaluates a job by its last beats. Nothing is requested, so the network does not matter. */
export const heartbeat: Probe<CheckSettings<"heartbeat">> = async (site, context) => {
  const { now, heartbeat: before = { since: now } } = context;
  const sources = await readSources(site, context, before);
  const beats = sources.flatMap(({ beats = [] }) => beats)
    .sort((one, other) => Temporal.Instant.compare(one.at, other.at));
  const after = beats.reduce((state, beat) => addBeat(state, beat, now), before);
  const observed = {
    code: 0,
    responseTime: 0,
    heartbeat: after,
    details: toDetails(sources, site.timezone),
  };
  const faults = sources.flatMap(({ fault }) => fault ?? []);
  if (faults.length === sources.length) {
    return { ...observed, failure: { kind: "configuration", reason: faults[0]! } };
  }
  const result = evaluateHeartbeat(after, site, now);
  if (result.state === "up") {
    const duration = after.end === before.end ? undefined : after.end?.duration;
    return {
      ...observed,
      code: 200,
      ...duration === undefined ? { isUnmeasured: true } : { responseTime: duration },
      remark: describeClock(after),
    };
  }
  const failure: Failure = result.state === "down"
    ? { kind: "answer", reason: result.reason, since: result.since }
    : { kind: "pending", reason: describePending(after) };
  return { ...observed, failure };
};

function describePending({ start }: Heartbeat): string {
  return start === undefined
    ? "pending: no beat has come yet"
    : `pending: the job started at ${utcMinute(start.at)} UTC, and has not ended yet`;
}

async function readSources(
  { variable, file, dispatch }: CheckSettings<"heartbeat">,
  context: ProbeContext,
  known: Heartbeat,
): Promise<Source[]> {
  const wasHeard = [known.end, known.start].some((beat) => beat && !beat.former);
  const sources = [
    ...variable === undefined ? [] : [await readVariable(variable, context, wasHeard)],
    ...file === undefined ? [] : [await readFile(file, context, wasHeard)],
    ...dispatch === undefined ? [] : [await readDispatch(dispatch, context)],
  ];
  return sources.length > 0 ? sources : [{ name: "endpoint", fault: REMOVED }];
}

async function readVariable(
  name: string,
  { readVariable }: ProbeContext,
  wasHeard: boolean,
): Promise<Source> {
  let text: string | undefined;
  try {
    text = await readVariable?.(name);
  } catch (error) {
    return { name, fault: (error as Error).message };
  }
  if (text === undefined) return { name, fault: describeUnset(name) };
  if (text.trim() !== "") return toSource(name, text);
  return wasHeard
    ? { name, fault: `the variable ${name} is missing: it was deleted, renamed or emptied` }
    : { name };
}

function describeUnset(name: string): string {
  return `${name} is not set here: Uptime CI passes it once Setup CI has updated the workflow`;
}

async function readDispatch(key: string, { readVariable, now }: ProbeContext): Promise<Source> {
  const name = `dispatch ${key}`;
  const text = await readVariable?.(DISPATCH_VARIABLE);
  if (text === undefined) return { name, fault: describeUnset(DISPATCH_VARIABLE) };
  const payload = parseJson(text);
  if (payload === undefined) return { name, fault: `${DISPATCH_VARIABLE} is no JSON` };
  const beat = isMap(payload) && Object.hasOwn(payload, key) ? payload[key] : undefined;
  if (beat === undefined) return { name };
  // Some objects can't be made a text otherwise.
  return toSource(name, typeof beat === "object" ? JSON.stringify(beat) : String(beat), now);
}

async function readFile(
  path: string,
  { root }: ProbeContext,
  wasHeard: boolean,
): Promise<Source> {
  try {
    const text = (await readTail(resolve(root, path))).trim();
    if (text !== "") return toSource(path, text.split("\n").at(-1)!);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) {
      return { name: path, fault: `${path} can't be read: ${(error as Error).message}` };
    }
  }
  return wasHeard
    ? { name: path, fault: `${path} is missing: it was deleted, renamed or emptied` }
    : { name: path };
}

async function readTail(path: string): Promise<string> {
  // Opening a pipe or a socket could wait forever.
  if (!(await Deno.stat(path)).isFile) throw new Error("it is no file");
  using file = await Deno.open(path);
  const { size } = await file.stat();
  await file.seek(Math.max(0, size - TAIL), Deno.SeekMode.Start);
  const bytes = new Uint8Array(TAIL);
  const read = await file.read(bytes);
  return new TextDecoder().decode(bytes.subarray(0, read ?? 0));
}

function toSource(name: string, text: string, received?: Temporal.Instant): Source {
  const beat = parseBeat(text, received);
  return typeof beat === "string" ? { name, fault: `${name}: ${beat}` } : { name, beats: [beat] };
}

function toDetails(sources: readonly Source[], timezone: string): Details {
  return {
    hops: sources.map(({ name, beats, fault }) => {
      const last = beats?.at(-1);
      const words = last === undefined
        ? fault ?? "no beat"
        : `${last.code ?? last.kind} at ${formatLocal(last.at, timezone)}`;
      return { method: "read", url: name, words };
    }),
  };
}
