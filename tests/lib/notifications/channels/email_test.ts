import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { email } from "../../../../lib/notifications/channels/email.ts";
import { makeAuthority, makeCertificate } from "../../../helpers/certificates.ts";
import { mailRun } from "../../../helpers/mail_run.ts";
import {
  mailServer,
  type MailServerOptions,
  refusalOf,
  tlsMailServer,
} from "../../../helpers/mail_server.ts";
import { mailTo, messageOf, refusalBy, sendingWith, siteEvent } from "../../../helpers/mails.ts";
import { makeScratch } from "../../../helpers/scratch.ts";

const AUTHORITY = makeAuthority("House Authority");
const CERTIFICATE = makeCertificate({ issuer: AUTHORITY });
const LOGIN = { "smtp-username": "$MAIL_USER", "smtp-password": "$MAIL_PASSWORD" };
const SECRETS = { MAIL_USER: "monitor@acme.example", MAIL_PASSWORD: "s3cr&t pass" };
/** A server with one account. */
const KNOWS_MONITOR: MailServerOptions = {
  authOptional: false,
  onAuth({ username, password }, _session, done) {
    const isRight = username === SECRETS.MAIL_USER && password === SECRETS.MAIL_PASSWORD;
    done(isRight ? null : refusalOf("535 5.7.8 Bad credentials"), { user: "monitor" });
  },
};

Deno.test("email sends text and HTML to all recipients in one mail", async () => {
  await using server = await mailServer({ hideSTARTTLS: true });
  const answer = await email.send(mailTo(server.port), messageOf(), sendingWith());
  assertEquals(answer, `127.0.0.1:${server.port} took it for 2 of 2 recipients (250 queued)`);
  const [{ mail, from, to }] = server.received as [typeof server.received[0]];
  assertEquals([from, to], ["monitor@acme.example", ["jo@inbox.example", "ops@inbox.example"]]);
  assertEquals(mail.from, { name: "Monitor", address: "monitor@acme.example" });
  assertEquals(mail.to?.map(({ name, address }) => [name, address]), [
    ["Jo", "jo@inbox.example"],
    ["", "ops@inbox.example"],
  ]);
  assertEquals(mail.subject, "🛑 Shop is down");
  assertEquals(mail.date, "2026-11-21T10:00:00.000Z");
  assertEquals(
    mail.text?.replaceAll("\r\n", "\n").trimEnd(),
    `🛑 Shop is down
answered 503 Service Unavailable, since 10:05 UTC

Address: https://shop.example/health

Incident: https://git.example/acme/status/issues/12
Status page: https://status.acme.example/history/shop

-- 
Sent by the monitor of acme/status
https://git.example/acme/status`,
  );
  assertStringIncludes(mail.html ?? "", "<title>Shop is down</title>");
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  assertEquals(header("auto-submitted"), "auto-generated");
  assertEquals(header("x-monitor-delivery"), "shop-down");
  assertEquals(header("x-mailer"), sendingWith().userAgent);
});

Deno.test("email uses STARTTLS if offered, trusts NODE_EXTRA_CA_CERTS, and needs only the permissions of update", async () => {
  await using folder = await makeScratch();
  await folder.write("ca.pem", AUTHORITY.cert);
  await using server = await mailServer({ ...CERTIFICATE, ...KNOWS_MONITOR });
  const notification = mailTo(server.port, LOGIN);
  const end = await mailRun({ notification, secrets: SECRETS }, join(folder.path, "ca.pem"));
  assertEquals(end, {
    answer: `127.0.0.1:${server.port} took it for 2 of 2 recipients (250 queued)`,
  });
  const [received] = server.received;
  assertEquals([received?.secure, received?.user], [true, "monitor"]);
});

Deno.test("email speaks TLS from the start on a port that ends in 465, with the permissions of update", async () => {
  await using folder = await makeScratch();
  await folder.write("ca.pem", AUTHORITY.cert);
  await using server = await tlsMailServer({ ...CERTIFICATE, ...KNOWS_MONITOR });
  const notification = mailTo(server.port, { ...LOGIN, "smtp-host": "localhost" });
  const end = await mailRun({ notification, secrets: SECRETS }, join(folder.path, "ca.pem"));
  assertEquals(end, {
    answer: `localhost:${server.port} took it for 2 of 2 recipients (250 queued)`,
  });
  assertEquals([server.received[0]?.secure, server.received[0]?.user], [true, "monitor"]);
  const { message, kind } = await refusalBy(email, notification, sendingWith(SECRETS));
  assertMatch(message, /its certificate is not trusted/);
  assertEquals(kind, "misconfigured");
});

Deno.test("email sends a password without TLS to the loopback alone", async () => {
  await using server = await mailServer({
    ...KNOWS_MONITOR,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
  });
  const near = mailTo(server.port, LOGIN);
  await email.send(near, messageOf(), sendingWith(SECRETS));
  assertEquals(server.received[0]?.user, "monitor");
  // An address of the same machine that is not recognized as loopback.
  const { message, kind } = await refusalBy(
    email,
    { ...near, "smtp-host": "0.0.0.0" },
    sendingWith(SECRETS),
  );
  assertMatch(message, /has no TLS \(.*\), and a password is sent over nothing else/);
  assertEquals([kind, server.received.length], ["misconfigured", 1]);
});

Deno.test("email is delivered if one recipient of several is refused, and says which", async () => {
  await using server = await mailServer({
    hideSTARTTLS: true,
    refuse: (recipient) =>
      /^(?:gone|hidden)@/.test(recipient) ? `550 5.1.1 No mailbox ${recipient}` : undefined,
  });
  const to = ["jo@inbox.example", "Gone <gone@inbox.example>", "$HIDDEN"];
  const sending = sendingWith({ HIDDEN: "Hidden <hidden@inbox.example>" });
  const refused: string[] = [];
  const answer = await email.send(mailTo(server.port, { to }), messageOf(), {
    ...sending,
    onRefused: (recipients) => refused.push(recipients),
  });
  const others =
    "gone@inbox.example (550 5.1.1 No mailbox gone@inbox.example), $HIDDEN (550 5.1.1 No mailbox ***)";
  assertEquals(refused, [others]);
  assertEquals(
    answer,
    `127.0.0.1:${server.port} took it for 1 of 3 recipients (250 queued), but not for ${others}`,
  );
  assertEquals(server.received.map(({ to }) => to), [["jo@inbox.example"]]);
});

Deno.test("email that is deferred is sent later as the same mail", async () => {
  let busy = true;
  await using server = await mailServer({
    hideSTARTTLS: true,
    refuse: () => busy ? "451 4.7.1 Greylisted, come again" : undefined,
  });
  const { message, kind } = await refusalBy(email, mailTo(server.port));
  assertMatch(
    message,
    /takes none of the recipients for now \(451 4\.7\.1 Greylisted, come again\)$/,
  );
  assertEquals(kind, "transient");
  busy = false;
  for (const _ of [1, 2]) await email.send(mailTo(server.port), messageOf(), sendingWith());
  const [first, second] = server.received.map(({ mail }) => mail.messageId);
  assertEquals(first, second);
});

Deno.test("mails about one incident are one thread, whatever the event", async () => {
  await using server = await mailServer({ hideSTARTTLS: true });
  const events = [
    siteEvent({ id: "1", kind: "degraded" }),
    siteEvent({ id: "2" }),
    siteEvent({ id: "3", reminder: true }),
    siteEvent({ id: "4", kind: "up", lasted: 7_500_000 }),
    siteEvent({ id: "5", incident: "2026-11-22-shop" }),
    siteEvent({ id: "6", kind: "test" }),
  ];
  for (const event of events) {
    await email.send(mailTo(server.port), messageOf(event), sendingWith());
  }
  const mails = server.received.map(({ mail }) => mail);
  const [root] = mails.map(({ inReplyTo }) => inReplyTo);
  assertMatch(root ?? "", /^<[0-9a-f]{40}@acme\.example>$/);
  assertEquals(mails.map(({ references }) => references === root), [
    ...[true, true, true, true],
    ...[false, false],
  ]);
  assertEquals(
    mails.map(({ inReplyTo, references }) => inReplyTo === references),
    Array(6).fill(true),
  );
  assertEquals(mails.at(-1)?.inReplyTo, undefined);
  assertEquals(new Set([root, ...mails.map(({ messageId }) => messageId)]).size, 7);
});

Deno.test("a grouped mail refers to the threads of all its incidents", async () => {
  await using server = await mailServer({ hideSTARTTLS: true });
  const incidents = ["2026-11-21-shop", "2026-11-21-api", "2026-11-20-blog"];
  const events = incidents.map((incident) => siteEvent({ id: incident, slug: incident, incident }));
  for (const event of events) {
    await email.send(mailTo(server.port), messageOf(event), sendingWith());
  }
  await email.send(
    mailTo(server.port),
    messageOf(...events, siteEvent({ id: "x" })),
    sendingWith(),
  );
  const mails = server.received.map(({ mail }) => mail);
  const roots = mails.slice(0, 3).map(({ references }) => references);
  assertEquals(mails[3]!.references?.split(/\s+/), roots);
  assertEquals(mails[3]!.inReplyTo, roots[0]);
});
