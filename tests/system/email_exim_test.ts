import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { type Certificate, makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { mailRun } from "../helpers/mail_run.ts";
import { mailTo } from "../helpers/mails.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { findTool, testWith } from "../helpers/tools.ts";
import { connect } from "node:net";
import { closedPort, type LocalServer } from "../helpers/servers.ts";

/** A mail server as the internet runs them. */
interface Exim extends LocalServer {
  /** The mails it has delivered, once there are so many. */
  delivered(count: number): Promise<string[]>;
}

/** Runs exim for mailboxes of `inbox.example` in a folder; `gone@` is unknown, other domains are not relayed. */
async function exim(
  folder: Scratch,
  { cert, key, login }: Certificate & { login: { user: string; password: string } },
): Promise<Exim> {
  const port = closedPort();
  // Without root, exim runs as its own user, who must be able to write here.
  for (const name of ["spool", "mail"]) {
    await Deno.mkdir(join(folder.path, name));
    await Deno.chmod(join(folder.path, name), 0o777);
  }
  await Deno.chmod(folder.path, 0o755);
  await folder.write("cert.pem", cert);
  await folder.write("key.pem", key);
  await folder.write("exim.conf", configuration(folder.path, login));
  const child = new Deno.Command(findTool("exim")!, {
    args: ["-bdf", "-oX", String(port), "-C", join(folder.path, "exim.conf")],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  while (!await answers(port));
  const mailbox = join(folder.path, "mail", "new");
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    async delivered(count) {
      for (;;) {
        const names = await namesIn(mailbox);
        if (names.length >= count) {
          return await Promise.all(names.map((name) => Deno.readTextFile(join(mailbox, name))));
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

function configuration(folder: string, { user, password }: { user: string; password: string }) {
  return `
primary_hostname = mta.example
spool_directory = ${folder}/spool
log_file_path = ${folder}/spool/log-%s
pid_file_path = ${folder}/spool/pid
local_interfaces = <; 127.0.0.1
host_lookup =
keep_environment =
deliver_drop_privilege = true
acl_smtp_rcpt = recipients
tls_advertise_hosts = *
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
begin acl
recipients:
  deny message = authentication required
       !authenticated = *
  deny message = no such mailbox
       local_parts = gone
  accept domains = inbox.example
  deny message = relay not permitted
begin routers
all:
  driver = accept
  transport = mailbox
begin transports
mailbox:
  driver = appendfile
  directory = ${folder}/mail
  maildir_format
  envelope_to_add
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = \${if and{{eq{$auth2}{${user}}}{eq{$auth3}{${password}}}}}
  server_set_id = $auth2
`;
}

/** Resolves to true if something listens; a refusal is retried for a moment. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => setTimeout(() => resolve(false), 20));
  });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return [];
  }
}

testWith(["exim"], {
  name: "exim accepts and delivers a mail, over STARTTLS and with a login",
  async fn() {
    await using folder = await makeScratch();
    const issuer = makeAuthority("House Authority");
    await folder.write("ca.pem", issuer.cert);
    const login = { user: "monitor", password: "s3cret" };
    await using server = await exim(folder, { ...makeCertificate({ issuer }), login });
    const to = ["Jö <jo@inbox.example>", "gone@inbox.example", "someone@else.example"];
    const notification = mailTo(server.port, {
      to,
      "smtp-username": "monitor",
      "smtp-password": "$MAIL_PASSWORD",
    });
    const send = (more = {}, password = login.password) =>
      mailRun(
        { notification: { ...notification, ...more }, secrets: { MAIL_PASSWORD: password } },
        join(folder.path, "ca.pem"),
      );
    assertMatch(
      JSON.stringify(await send()),
      /took it for 1 of 3 recipients \(250 OK id=\S+\), but not for gone@inbox\.example \(550 no such mailbox\), someone@else\.example \(550 relay not permitted\)/,
    );
    const [raw = ""] = await server.delivered(1);
    const { subject, to: seen, text, html, messageId } = await PostalMime.parse(raw);
    assertEquals(subject, "🛑 Shop is down");
    assertEquals(seen?.[0], { name: "Jö", address: "jo@inbox.example" });
    assertMatch(text ?? "", /^🛑 Shop is down\nanswered 503/);
    assertMatch(html ?? "", /^<!doctype html>\n<html lang="en">/);
    assertMatch(messageId ?? "", /^<[0-9a-f]{40}@acme\.example>$/);
    assertMatch(raw, /^Received: from \[127\.0\.0\.1\][\s\S]*?with esmtpsa/m);
    assertMatch(
      JSON.stringify(await send({}, "wrong")),
      /not take the login \(535\).*"misconfigured"/,
    );
    assertMatch(
      JSON.stringify(await send({ to: ["gone@inbox.example"] })),
      /none of the recipients \(550 no such mailbox\): correct the addresses in to","kind":"permanent"/,
    );
    const noLogin = { "smtp-username": undefined, "smtp-password": undefined };
    assertMatch(
      JSON.stringify(await send(noLogin)),
      /wants a login \(550 authentication required\).*"misconfigured"/,
    );
  },
});
