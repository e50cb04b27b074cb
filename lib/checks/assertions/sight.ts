import { EVERY, type Subject } from "../../config/checks/assertions/assertion.ts";
import type { Answer, Sight } from "./answer.ts";
import { valuesAt } from "./json_path.ts";

/** Looks at what an assertion is about. A header that stands several times is one, with commas. */
export function lookAt(subject: Subject, answer: Answer): Sight {
  switch (subject.of) {
    case "header": {
      const header = Object.hasOwn(answer.headers, subject.name)
        ? answer.headers[subject.name]
        : undefined;
      return header === undefined
        ? { lacking: "there is no such header", absent: true }
        : { values: [{ value: [header].flat().join(", ") }] };
    }
    case "certificate":
      return answer.certificate === undefined
        ? { lacking: "there is no certificate", absent: false }
        : { values: [{ value: answer.certificate }] };
    case "json": {
      const json = jsonOf(answer);
      if ("lacking" in json) return { ...json, absent: false };
      const places = valuesAt(json.value, subject.path);
      if (places.length === 0) return { lacking: "there is no such value", absent: true };
      return {
        values: subject.path.includes(EVERY) ? places : places.map(({ value }) => ({ value })),
      };
    }
    default:
      return { values: [{ value: answer[subject.of] }] };
  }
}

type Json = { value: unknown } | { lacking: string };

/** Answers are large and assertions many. */
const PARSED = new WeakMap<Answer, Json>();

function jsonOf(answer: Answer): Json {
  const known = PARSED.get(answer) ?? parseJson(answer);
  PARSED.set(answer, known);
  return known;
}

function parseJson({ body, isCut }: Answer): Json {
  try {
    return { value: JSON.parse(body) };
  } catch {
    if (body.trim() === "") return { lacking: "the body is empty" };
    const lacking = isCut
      ? "the body is longer than the 1 MiB that is read"
      : "the body is no JSON";
    return { lacking };
  }
}
