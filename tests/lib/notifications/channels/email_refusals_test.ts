import { describeDestination } from "../../../../lib/config/channels/kinds.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createEmail, email } from "../../../../lib/notifications/channels/email.ts";
import {
  type MailPace,
  USUAL_MAIL_PACE,
} from "../../../../lib/notifications/channels/email/delivery.ts";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import {
  mailServer,
  type MailServerOptions,
  refusalOf,
  tlsMailServer,
} from "../../../helpers/mail_server.ts";
import { mailTo, messageOf, refusalBy, sendingWith } from "../../../helpers/mails.ts";
import { closedPort, deafPort, rawServer } from "../../../helpers/servers.ts";

/** A server that refuses a mail once it has read it. */
function refuseData(answer: string): MailServerOptions {
  return {
    onData: (stream, _, done) => stream.resume().on("end", () => done(refusalOf(answer))),
  };
}

/** A channel that does not wait long for some things. */
function hasty(limits: Partial<MailPace>) {
  return createEmail({ ...USUAL_MAIL_PACE, ...limits });
}

Deno.test("email reports invalid settings, and names missing secrets", async () => {
  const cases: [Partial<Notification>, RegExp][] = [
    [
      { "smtp-password": "$MAIL_PASSWORD", from: "$MAIL_FROM" },
      /secrets MAIL_FROM and MAIL_PASSWORD are missing/,
    ],
    [{ "smtp-username": "me" }, /smtp-username is given without smtp-password$/],
    [{ "smtp-password": "me" }, /smtp-password is given without smtp-username$/],
    [
      { "smtp-host": "https://mail.example" },
      /smtp-host is not the name of a server: https:\/\/mail\.example$/,
    ],
    [{ "smtp-port": "$PORT" }, /smtp-port is not a port from 1 to 65535: \$PORT$/],
    [{ from: "a@b.example, c@d.example" }, /from is not one mail address: /],
    [{ to: ["jo@inbox.example", "ops"] }, /to contains an invalid mail address: ops$/],
    [{ to: ["jo@inbox.example\r\nRCPT TO:<x"] }, /to contains an invalid mail address: /],
    [{ to: [] }, /to is empty$/],
  ];
  for (const [more, words] of cases) {
    const refusal = await refusalBy(email, mailTo(25, more), sendingWith({ PORT: "high" }));
    assertMatch(refusal.message, words);
    assertMatch(refusal.message, /^Cannot send mail: /);
    assertEquals(refusal.kind, "misconfigured");
  }
});

Deno.test("email reports why a server refuses, and whether the error is transient", async () => {
  const refuse = (answer: string) => (_: unknown, __: unknown, done: (error: Error) => void) =>
    done(refusalOf(answer));
  const cases: [MailServerOptions, string, RegExp][] = [
    [
      { onMailFrom: refuse("553 5.1.8 Not your address") },
      "misconfigured",
      /does not take the sender \(553 5\.1\.8 Not your address\): correct the address in from$/,
    ],
    [
      { onMailFrom: refuse("450 4.1.8 Later") },
      "transient",
      /does not take the sender for now \(450/,
    ],
    [
      { onMailFrom: refuse("530 5.7.0 Authentication required") },
      "misconfigured",
      /wants a login .*: set smtp-username and smtp-password$/,
    ],
    [
      { refuse: () => "550 5.1.1 Nobody here" },
      "permanent",
      /takes none of the recipients \(550 5\.1\.1 Nobody here\): correct the addresses in to$/,
    ],
    [{ refuse: () => "554 5.7.1 Relay access denied" }, "misconfigured", /wants a login/],
    [
      { refuse: () => "421 4.3.2 Closing" },
      "transient",
      /has no time for us|none of the recipients for now/,
    ],
    [
      refuseData("554 5.7.1 Looks like spam"),
      "permanent",
      /does not take the mail \(554 5\.7\.1 Looks like spam\)$/,
    ],
    [
      refuseData("452 4.3.1 Disk full"),
      "transient",
      /does not take the mail for now \(452 4\.3\.1 Disk full\)$/,
    ],
    [
      { onConnect: (_, done) => done(refusalOf("554 No mail from there")) },
      "misconfigured",
      /takes no mail from here \(554/,
    ],
    [
      { hideSTARTTLS: false },
      "misconfigured",
      /its certificate is not trusted: .*NODE_EXTRA_CA_CERTS$/,
    ],
  ];
  for (const [options, kind, words] of cases) {
    await using server = await mailServer({ hideSTARTTLS: true, ...options });
    const refusal = await refusalBy(email, mailTo(server.port));
    assertMatch(refusal.message, words);
    assert(refusal.message.startsWith(`Cannot send mail through 127.0.0.1:${server.port}: `));
    assertEquals(refusal.kind, kind, refusal.message);
    assertEquals(server.received, []);
  }
});

Deno.test("email says if a login is refused, without the server's words", async () => {
  const login = { "smtp-username": "jo", "smtp-password": "$MAIL_PASSWORD" };
  const cases: [string, string, RegExp][] = [
    [
      "535 5.7.8 Wrong password for jo",
      "misconfigured",
      /does not take the login \(535 5\.7\.8\): check .*app password$/,
    ],
    ["454 4.7.0 jo, come again", "transient", /can't check the login for now \(454 4\.7\.0\)$/],
  ];
  for (const [answer, kind, words] of cases) {
    await using server = await mailServer({
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusalOf(answer)),
    });
    const sending = sendingWith({ MAIL_PASSWORD: "pass" });
    const refusal = await refusalBy(email, mailTo(server.port, login), sending);
    assertMatch(refusal.message, words);
    assertEquals([refusal.kind, /\bjo\b/.test(refusal.message)], [kind, false]);
  }
  await using server = await mailServer({ hideSTARTTLS: true, disabledCommands: ["AUTH"] });
  const sending = sendingWith({ MAIL_PASSWORD: "pass" });
  const { message, kind } = await refusalBy(email, mailTo(server.port, login), sending);
  assertMatch(message, /takes no login here \(5\d\d/);
  assertEquals([kind, server.received.length], ["misconfigured", 0]);
});

Deno.test("email says if a port is wrong or nothing listens", async () => {
  await using silent = await rawServer(() => {});
  await using deaf = await deafPort();
  await using curt = await rawServer((socket) => socket.destroy());
  await using web = await rawServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await using plain = await tlsMailServer({ secure: false });
  const cases: [number, string, RegExp, Partial<MailPace>?][] = [
    [
      plain.port,
      "misconfigured",
      /does not speak TLS from the start on this port: set smtp-port: 587$/,
    ],
    [
      silent.port,
      "misconfigured",
      /never says hello: smtp-port is wrong, or TLS is expected there from the start \(set smtp-port: 465, or 587\)$/,
      { greeting: 300 },
    ],
    [
      deaf.port,
      "transient",
      /no connection in time: check smtp-host and smtp-port$/,
      { connection: 300 },
    ],
    [curt.port, "transient", /closed the connection$/],
    [web.port, "misconfigured", /the server is no mail server: check smtp-port$/],
    [
      closedPort(),
      "transient",
      /connection refused: check smtp-host and smtp-port if it stays so$/,
    ],
  ];
  for (const [port, kind, words, limits = {}] of cases) {
    const refusal = await refusalBy(hasty(limits), mailTo(port));
    assertMatch(refusal.message, words);
    assertEquals(refusal.kind, kind, refusal.message);
  }
  const nowhere = mailTo(25, { "smtp-host": "nowhere.invalid" });
  const { message } = await refusalBy(email, nowhere);
  assertMatch(message, /through nowhere\.invalid:25: name (?:not found|look-up failed)/);
});

Deno.test("email gives up on a server that stops answering or never finishes", async () => {
  await using stuck = await rawServer((socket) => socket.write("220 slow\r\n"));
  const impatient = hasty({ silence: 300 });
  assertMatch((await refusalBy(impatient, mailTo(stuck.port))).message, /stopped answering$/);
  await using server = await mailServer({ hideSTARTTLS: true, onMailFrom() {} });
  const { message, kind } = await refusalBy(hasty({ mail: 300 }), mailTo(server.port));
  assertMatch(message, /stopped answering$/);
  assertEquals(kind, "transient");
});

Deno.test("email never shows a secret in errors, previews or answers", async () => {
  const secrets = {
    MAIL_HOST: "127.0.0.1",
    MAIL_USER: "canary-user@acme.example",
    MAIL_PASSWORD: "canary-pass",
    MAIL_FROM: "Canary <canary-from@acme.example>",
    MAIL_TO: "canary-one@inbox.example, Two <canary-two@inbox.example>",
  };
  const gossip =
    "5.7.1 canary-user@acme.example canary-one@inbox.example canary-from@acme.example Y2FuYXJ5LXBhc3M";
  const scenes: MailServerOptions[] = [
    {},
    { refuse: (recipient) => recipient.startsWith("canary-two") ? `550 ${gossip}` : undefined },
    { refuse: () => `550 ${gossip}` },
    { onMailFrom: (_a, _s, done) => done(refusalOf(`550 ${gossip}`)) },
    { onAuth: (_a, _s, done) => done(refusalOf(`535 ${gossip}`)) },
    refuseData(`554 ${gossip}`),
    { hideSTARTTLS: false },
  ];
  const shown: string[] = [];
  for (const scene of scenes) {
    await using server = await mailServer({
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(null, { user: "canary" }),
      ...scene,
    });
    const notification: Notification = mailTo(server.port, {
      "smtp-host": "$MAIL_HOST",
      "smtp-username": "$MAIL_USER",
      "smtp-password": "$MAIL_PASSWORD",
      from: "$MAIL_FROM",
      to: ["$MAIL_TO"],
    });
    const sending = sendingWith(secrets);
    shown.push(JSON.stringify(email.preview(notification, messageOf(), sending)));
    try {
      shown.push(await email.send(notification, messageOf(), sending));
    } catch (error) {
      shown.push(Deno.inspect(error));
    }
    shown.push(describeDestination(notification));
  }
  const seen = shown.filter((text) => /canary-|127\.0\.0\.1|Y2FuYXJ5/.test(text));
  assertEquals(seen, []);
});

Deno.test("the destination of a mail does not depend on the order of recipients", () => {
  const one = mailTo(587, { to: ["$B", "a@inbox.example"] });
  const other = mailTo(587, { to: ["a@inbox.example", "$B"], "smtp-port": undefined });
  assertEquals(describeDestination(one), describeDestination(other));
  assertEquals(
    describeDestination(one),
    "email 127.0.0.1:587 Monitor <monitor@acme.example> $B, a@inbox.example",
  );
});
