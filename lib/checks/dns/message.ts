import { Buffer } from "node:buffer";
// @ts-types="@types/dns-packet"
import packet from "dns-packet";
import type { RecordType } from "../../config/checks/dns.ts";

/** What is asked of a name server. */
export interface Question {
  /** In ASCII, without a dot at its end. */
  name: string;
  type: RecordType;
}

/** What a name server says. */
export interface Reply {
  /** Such as `NOERROR`, `NXDOMAIN` or `SERVFAIL`. */
  code: string;
  /** Whether there is more than fits; then it is asked for over TCP. */
  truncated: boolean;
  /** Records of the type asked for, as texts. */
  records: string[];
}

/** Says that a reply may be longer than 512 bytes, and how long one is that arrives in one piece. */
const EXTENSION: packet.OptAnswer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: 1232,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/** The message of a question under an id of 16 bits. */
export function encodeQuestion({ name, type }: Question, id: number): Uint8Array {
  return packet.encode({
    type: "query",
    id,
    flags: packet.RECURSION_DESIRED,
    questions: [{ type, name, class: "IN" }],
    additionals: [EXTENSION],
  });
}

/** The reply in a message; `undefined` where it answers another question, or none at all. */
export function decodeReply(
  message: Uint8Array,
  { name, type }: Question,
  id: number,
): Reply | undefined {
  let decoded: packet.DecodedPacket;
  try {
    decoded = packet.decode(Buffer.from(message));
  } catch {
    return undefined;
  }
  const [question] = decoded.questions ?? [];
  const sameQuestion = question === undefined ||
    question.type === type && question.name.toLowerCase() === name.toLowerCase();
  if (decoded.type !== "response" || decoded.id !== id || !sameQuestion) return undefined;
  return {
    code: (decoded as { rcode?: string }).rcode ?? "NOERROR",
    truncated: decoded.flag_tc,
    records: (decoded.answers ?? []).flatMap((answer) =>
      answer.type === type ? [recordText(answer)] : []
    ),
  };
}

/** A record as people write it, the parts of a TXT joined. */
function recordText(answer: packet.Answer): string {
  switch (answer.type) {
    case "MX":
      return `${answer.data.preference ?? 0} ${answer.data.exchange}`;
    case "SOA": {
      const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data;
      return [mname, rname, serial, refresh, retry, expire, minimum].join(" ");
    }
    case "TXT":
      return new TextDecoder().decode(
        Buffer.concat([answer.data].flat().map((part) => Buffer.from(part))),
      );
    case "OPT":
      return "";
    default:
      return String(answer.data);
  }
}
