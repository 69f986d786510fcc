import PostalMime from "postal-mime";
import { afterEach, describe, expect, test } from "vitest";
import { createSmtp, type OutgoingMail, SmtpError } from "./smtp.ts";
import { type Behaviour, startSmtpServer, type TestSmtpServer } from "./testing/smtp-server.ts";

const FROM = { name: "Gatehouse", address: "no-reply@id.example" };
const MAIL: OutgoingMail = {
  id: "mail-1",
  to: "ada@example.com",
  locale: "de",
  date: 1_790_000_000,
  subject: "Größe zählt",
  text: "Hallo\n",
  html: "<p>Hallo</p>",
};

let server: TestSmtpServer | undefined;
afterEach(() => server?.close());

async function started(behaviour: Behaviour = {}) {
  server = await startSmtpServer(behaviour);
  return server;
}
const smtpOf = ({ port }: TestSmtpServer, change: object = {}) =>
  createSmtp({ host: "127.0.0.1", port, tls: "none", credentials: undefined, ...change }, FROM);
const send = (
  smtp: ReturnType<typeof createSmtp>,
  change: Partial<OutgoingMail> = {},
  signal = new AbortController().signal,
) => smtp.send({ ...MAIL, ...change }, signal);

describe("mail over SMTP, EM-01 EM-03 EM-04", () => {
  test("EM-04 a mail arrives as text and HTML, marked as automatic, in its language, for one recipient", async () => {
    const { received, ...on } = await started();
    expect(await send(smtpOf({ received, ...on }))).toMatch(/^250 /);
    const mail = await PostalMime.parse(received[0]?.raw ?? "");
    expect(mail).toMatchObject({ subject: "Größe zählt", from: FROM, to: [{ address: "ada@example.com" }] });
    expect([mail.text?.trim(), mail.html?.trim()]).toEqual(["Hallo", "<p>Hallo</p>"]);
    const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
    expect([header("auto-submitted"), header("content-language"), header("message-id")]).toEqual([
      "auto-generated",
      "de",
      "<mail-1@id.example>",
    ]);
    expect(received[0]?.recipients).toEqual(["ada@example.com"]);
  });

  test("EM-03 a mail that is sent twice has the same Message-ID and date", async () => {
    const on = await started();
    for (let count = 0; count < 2; count++) await send(smtpOf(on));
    const [first, second] = await Promise.all(on.received.map(({ raw }) => PostalMime.parse(raw)));
    expect(first?.messageId).toBe(second?.messageId);
    expect(first?.date).toBe(second?.date);
  });

  test.each([
    ["421 at the greeting", { greeting: 421 }, false],
    ["421 after DATA", { data: 421 }, false],
    ["451 for the recipient", { recipient: 451 }, false],
    ["550 for the recipient", { recipient: 550 }, true],
    ["554 after DATA", { data: 554 }, true],
    ["535 at the sign-in", { signIn: 535 }, false],
    ["the connection closed after DATA", { data: "close" }, false],
  ] as const)("N76 %s ends the mail for good: %j", async (_, behaviour, permanent) => {
    const on = await started(behaviour);
    const credentials = "signIn" in behaviour ? { user: "mailer", password: "wrong" } : undefined;
    const failure = await send(smtpOf(on, { credentials })).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SmtpError);
    expect(failure).toMatchObject({ permanent });
    const [code] = Object.values(behaviour);
    if (typeof code === "number") expect((failure as SmtpError).answer).toContain(String(code));
  });

  test("N76 a server that hangs holds a mail up only until it is aborted", async () => {
    const on = await started({ data: "hang" });
    const controller = new AbortController();
    const sending = send(smtpOf(on), {}, controller.signal).catch((error: unknown) => error);
    await on.hanging;
    controller.abort(new Error("the process stops"));
    expect(await sending).toMatchObject({ name: "SmtpError", permanent: false });
  });

  test("EM-01 nothing is sent to a server off loopback that offers no TLS, or whose certificate is not trusted", async () => {
    const plain = await started({ hideStartTls: true });
    expect(await send(smtpOf(plain, { tls: "starttls" })).catch((error: unknown) => error)).toMatchObject({
      permanent: false,
    });
    expect(plain.received).toHaveLength(0);
    await plain.close();
    const selfSigned = await started();
    const failure = await send(smtpOf(selfSigned, { tls: "starttls" })).catch((error: unknown) => error);
    expect((failure as SmtpError).answer).toMatch(/self-signed|certificate/i);
    expect(selfSigned.received).toHaveLength(0);
  });

  test("EM-01 a check at the start says what the server answers", async () => {
    const on = await started({ signIn: 535 });
    await expect(smtpOf(on).verify()).resolves.toBeUndefined();
    const refused = smtpOf(on, { credentials: { user: "mailer", password: "wrong" } }).verify();
    await expect(refused).rejects.toMatchObject({ answer: expect.stringContaining("535") });
  });

  test.each([
    ["subject", { subject: "Hello\r\nBcc: eve@evil.example" }],
    ["recipient", { to: "ada@example.com\r\nBcc: eve@evil.example" }],
  ])("N77 a line break in the %s sends nothing", async (_, change) => {
    const on = await started();
    await expect(send(smtpOf(on), change)).rejects.toThrow("control characters");
    expect(on.received).toHaveLength(0);
  });
});
