import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { exim } from "../helpers/exim.ts";
import { mailRun } from "../helpers/mail_run.ts";
import { mailTo } from "../helpers/mails.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { testWith } from "../helpers/tools.ts";

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
