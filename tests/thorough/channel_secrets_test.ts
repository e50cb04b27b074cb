import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { makeRig, type Rig } from "../helpers/rig.ts";
import { mailServer, refusalOf } from "../helpers/mail_server.ts";
import type { ProgramResult } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { type VendorAnswer, vendorServer } from "../helpers/vendors/vendor_server.ts";
import { CANARIES, TRIED } from "../helpers/vendors/vendors.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";

/** Every secret of the runs below; names of environment variables are none. */
const SECRETS = {
  ...CANARIES,
  MAIL_LOGIN: "canary-login@mail.example",
  MAIL_PASSWORD: 'canary "pass/wörd" 1+1',
  MAIL_FROM: "canary-from@mail.example",
  MAIL_TO: "Jo <canary-to@mail.example>, canary-ops@mail.example",
  HEADER: "canary header/välue=",
  SHORT_CHAT: "-2001234567890",
};

/** Secret values that must not be visible, including the parts of lists. */
const HIDDEN = [
  ...Object.values(SECRETS),
  "canary-to@mail.example",
  "canary-ops@mail.example",
  CANARIES.LOGIN.split(":")[1]!,
];

/** Every form in which a text could contain a secret. */
function spellings(value: string): string[] {
  const base64 = new TextEncoder().encode(value).toBase64();
  return [
    value,
    encodeURIComponent(value),
    encodeURI(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    base64,
    base64.replace(/=+$/, ""),
    base64.replaceAll("+", "-").replaceAll("/", "_"),
    JSON.stringify(value).slice(1, -1),
  ];
}

const ALL = [...new Set(HIDDEN.flatMap(spellings))];

const BASIC = new TextEncoder().encode(CANARIES.LOGIN).toBase64();

const PLAIN = new TextEncoder().encode(`\0${SECRETS.MAIL_LOGIN}\0${SECRETS.MAIL_PASSWORD}`)
  .toBase64();

/** A vendor that repeats all that it could have been sent. */
function echo(status: number, asText = false): VendorAnswer {
  const all = [...ALL, BASIC];
  return {
    status,
    headers: { "Retry-After": "60", Location: `https://in.example/${encodeURIComponent(all[0]!)}` },
    body: asText ? all.join(" ") : JSON.stringify({ message: all.join(" "), errors: all }),
  };
}

/** The behaviour of the outside world. */
interface Scene {
  what: string;
  /** Answers of vendors; the default is each one's usual answer. */
  answer?: VendorAnswer;
  mail: "takes it" | "refuses the login" | "refuses recipients";
  code: number;
}

const SCENES: Scene[] = [
  { what: "everything is accepted", mail: "takes it", code: 0 },
  { what: "settings are wrong", answer: echo(404), mail: "refuses the login", code: 1 },
  {
    what: "messages are refused permanently",
    answer: echo(400, true),
    mail: "refuses recipients",
    code: 1,
  },
  { what: "servers are busy", answer: echo(503), mail: "takes it", code: 0 },
  { what: "requests are redirected", answer: echo(302), mail: "takes it", code: 1 },
];

function mailServerOf({ mail }: Scene) {
  const words = [SECRETS.MAIL_PASSWORD, SECRETS.MAIL_LOGIN].flatMap(spellings).join(" ");
  return mailServer({
    hideSTARTTLS: true,
    onAuth({ username }, _session, done) {
      if (mail !== "refuses the login") return done(null, { user: username });
      done(refusalOf(`535 5.7.8 ${words} ${PLAIN}`));
    },
    refuse: (recipient) =>
      mail === "refuses recipients" ? `550 5.1.1 <${recipient}> ${words}` : undefined,
  });
}

/** All that a run has written: output, files, and every object of both repositories. */
async function everythingSent({ stdout, stderr }: ProgramResult, rig: Rig): Promise<string> {
  const shown = stdout.replace(/^::add-mask::.*\n/gm, "");
  const objects = [rig.remote, rig.folder].map((folder) =>
    git(folder, "cat-file", "--batch-all-objects", "--batch")
  );
  return [shown, stderr, ...await Promise.all(objects), await textsIn(rig.folder)].join("\n");
}

/** Every file of a folder, but for packed and compressed objects. */
async function textsIn(folder: string): Promise<string> {
  let text = "";
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory && name !== "objects") text += await textsIn(path);
    else if (!isDirectory) text += `${new TextDecoder().decode(await Deno.readFile(path))}\n`;
  }
  return text;
}

function assertHoldsNone(text: string, what: string): void {
  for (const secret of [...ALL, BASIC, PLAIN]) {
    const at = text.indexOf(secret);
    assert(at < 0, `${what}: ${secret} is in ${text.slice(Math.max(0, at - 200), at + 200)}`);
  }
}

for (const scene of SCENES) {
  Deno.test(`no channel secret appears in anything that runs write if ${scene.what}`, async () => {
    await using stack = new AsyncDisposableStack();
    const scratch = stack.use(await makeScratch());
    const mail = stack.use(await mailServerOf(scene));
    const notifications: Notification[] = [{
      type: "email",
      "smtp-host": "127.0.0.1",
      "smtp-port": String(mail.port),
      "smtp-username": "$MAIL_LOGIN",
      "smtp-password": "$MAIL_PASSWORD",
      from: "$MAIL_FROM",
      to: ["$MAIL_TO"],
      on: ["down", "up"],
    }];
    let asked = 0;
    for (const { type, yes, notification } of TRIED) {
      const server = stack.use(await vendorServer(scene.answer ?? yes));
      const more = type === "webhook" ? { headers: { "X-Key": "$HEADER", Other: "$KEY" } } : {};
      notifications.push({
        ...notification(server.url),
        on: ["down", "up"],
        "message-template": "$SITE_NAME is $STATUS; $TEXT",
        ...more,
      });
      stack.defer(() => void (asked += server.seen.length));
    }
    const rig = stack.use(await makeRig(scratch, { notifications, secrets: SECRETS }));
    rig.turn(503);
    const onGitHub = { GITHUB_ACTIONS: "true" };
    const first = await rig.update({ env: onGitHub, args: ["--verbose"] });
    assertEquals(first.code, scene.code, first.stdout);
    const written = await everythingSent(first, rig);
    assertStringIncludes(written, '"what": "notify telegram about Shop"');
    assertHoldsNone(written, "on GitHub");
    rig.turn(200);
    await rig.age(61);
    for (const args of [["--json", "--verbose"], ["--dry-run"]]) {
      assertHoldsNone(await everythingSent(await rig.update({ args }), rig), args.join(" "));
    }
    const others = [["notify-test", "--verbose"], ["state"], ["state", "--json"]];
    for (const [task, ...args] of others) {
      assertHoldsNone(await everythingSent(await rig.run(task!, { args }), rig), task!);
    }
    await stack.disposeAsync();
    // The end of an outage that was refused permanently is sent to nobody.
    assert(asked >= 2 * TRIED.length, `${asked} requests`);
  });
}
