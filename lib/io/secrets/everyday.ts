import { joinNames } from "../../text/words.ts";
import { isLongEnough } from "./redaction.ts";

/** Words of configurations, addresses and services, of the program's own texts, and frequent English ones. */
const WORDS = new Set(
  [
    "true false null none undefined auto default enable enabled disable disabled value values",
    "main master head trunk develop devel development stable latest release beta alpha preview",
    "prod production stage staging test tests testing debug demo example sample live local localhost",
    "http https html json yaml xml path file files index home page pages site sites website host hosts",
    "domain example.com login logout health healthz ready ping check checks status version info metrics",
    "user users username admin administrator root guest owner public private internal external system",
    "service services server servers client clients data database mysql postgres postgresql redis mongo",
    "mongodb sqlite docker linux ubuntu windows macos node python java nginx apache github gitlab google",
    "azure cloud amazon slack discord telegram teams email mail smtp imap webhook webhooks word words",
    "monitor monitoring monitors uptime upptime down degraded unknown maintenance incident incidents",
    "outage outages error errors fail failed failing failure success warning warnings notice alert alerts",
    "message messages response responses request requests timeout connect connection refused certificate",
    "expired redirect answer answers answered found missing history summary report graph graphs workflow",
    "schedule runner hosted location locations notification notifications channel channels event events",
    "secret secrets password passwords token tokens basic bearer name names text texts hello world welcome",
    "europe america asia africa germany france berlin london paris today hour hours minute minutes second",
    "seconds days week weeks month months year years time date open opened close closed start started stop",
    "online offline working shop store blog news docs wiki help team company office good more than with",
    "this that from have been were will would there their what when which about could other after first",
    "into also then them some over only your they does done last long next same each very just like",
  ].join(" ").split(" "),
);

/** Years, usual ports, and round numbers. */
const NUMBERS = /^(?:(?:19|20)\d\d|8080|8443|5432|3306|6379|27017|[1-9]0{3,})$/;

/**
 * True if a value is such a frequent word or number that to redact it makes texts illegible. Only what is surely one
 * counts: a bad password is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["Main", "2026", "hunter2", "xkcd", "1"].map(isEveryday), [true, true, false, false, false]);
 * ```
 */
export function isEveryday(value: string): boolean {
  const word = value.trim().toLowerCase();
  return isLongEnough(word) && (WORDS.has(word) || NUMBERS.test(word));
}

export function everydayNote(names: readonly string[]): string {
  const what = names.length === 1
    ? `secret ${names[0]} is an everyday word and redacted wherever that word occurs`
    : `secrets ${joinNames(names)} are everyday words and redacted wherever these occur`;
  return `${what}: choose a longer value, or write it into the configuration if it is no secret`;
}
