import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { type AlertRig, alertRig } from "../helpers/alert_rig.ts";
import { mailServer, refusalOf } from "../helpers/mail_server.ts";
import type { ProgramResult } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { some } from "../helpers/thorough.ts";
import { CANARIES, TRIED } from "../helpers/vendors/vendors.ts";
import { type VendorAnswer, vendorServer } from "../helpers/vendors/vendor_server.ts";

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

/** What of these must not be seen: also the parts that lists are read into. */
const HIDDEN = [
  ...Object.values(SECRETS),
  "canary-to@mail.example",
  "canary-ops@mail.example",
  CANARIES.LOGIN.split(":")[1]!,
];

/** Every way in which a secret could stand in a text. */
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

/** How the world behaves that a run tells. */
interface Scene {
  what: string;
  /** What vendors answer; what each says usually where it is not given. */
  answer?: VendorAnswer;
  mail: "takes it" | "refuses the login" | "refuses recipients";
  code: number;
}

const SCENES: Scene[] = [
  { what: "all is taken", mail: "takes it", code: 0 },
  { what: "settings are wrong", answer: echo(404), mail: "refuses the login", code: 1 },
  { what: "refused for good", answer: echo(400, true), mail: "refuses recipients", code: 1 },
  { what: "servers are busy", answer: echo(503), mail: "takes it", code: 0 },
  { what: "redirected", answer: echo(302), mail: "takes it", code: 1 },
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
async function everything({ stdout, stderr }: ProgramResult, rig: AlertRig): Promise<string> {
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
    assert(at < 0, `${what}: ${secret} stands in ${text.slice(Math.max(0, at - 200), at + 200)}`);
  }
}

for (const scene of some(SCENES, 2)) {
  Deno.test(`no secret of a channel stands in anything that runs write, where ${scene.what}`, async () => {
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
    const rig = stack.use(await alertRig(scratch, { notifications, secrets: SECRETS }));
    rig.turn(503);
    const onGitHub = { GITHUB_ACTIONS: "true" };
    const first = await rig.update({ env: onGitHub, args: ["--verbose"] });
    assertEquals(first.code, scene.code, first.stdout);
    const written = await everything(first, rig);
    assertStringIncludes(written, '"what": "tell telegram about Shop"');
    assertHoldsNone(written, "on GitHub");
    rig.turn(200);
    await rig.age(61);
    for (const args of some([["--json", "--verbose"], ["--dry-run"]], 1)) {
      assertHoldsNone(await everything(await rig.update({ args }), rig), args.join(" "));
    }
    const others = [["notify-test", "--verbose"], ["state"], ["state", "--json"]];
    for (const [task, ...args] of some(others, 1)) {
      assertHoldsNone(await everything(await rig.run(task!, { args }), rig), task!);
    }
    await stack.disposeAsync();
    // Nobody is sent the end of an outage that was refused for good.
    assert(asked >= 2 * TRIED.length, `${asked} requests`);
  });
}
