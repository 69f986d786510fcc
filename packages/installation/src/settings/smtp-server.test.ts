import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listAuditHistory } from "@gatehouse/console/audit/queries";
import { DomainError } from "@gatehouse/console/domain-error";
import { getMail, readMailContent, sendTestMail } from "@gatehouse/console/mails/mails";
import { findSavedSettings, saveSettings } from "@gatehouse/console/settings/queries";
import { changeSettings, listSettings } from "@gatehouse/console/settings/settings";
import { ADMIN } from "@gatehouse/console/testing/installation";
import { insertUser } from "@gatehouse/db/stores/accounts/users";
import { claimJobs } from "@gatehouse/db/stores/jobs/job-claims";
import { leaseFence, retryJob } from "@gatehouse/db/stores/jobs/job-outcomes";
import { startSmtpServer, type TestSmtpServer } from "@gatehouse/mail/testing/smtp-server";
import { JobFailure } from "@gatehouse/work/jobs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../installation.ts";
import { prepare } from "../prepare.ts";
import { readSettings } from "./settings.ts";

const FROM = "Shop <no-reply@shop.example>";
const SERVER = "smtp://mailer:hunter2@mail.example.com:587";
const HTTPS = {
  GATEHOUSE_ISSUER: "https://id.example",
  GATEHOUSE_ADMIN_URL: "https://console.example",
  GATEHOUSE_SECRET: "a secret for the tests, 32 bytes or more",
};

let folder: string;
let opened: Installation[];
let logged: object[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-smtp-"));
  opened = [];
  logged = [];
});
afterEach(async () => {
  for (const installation of opened) await installation.close();
  rmSync(folder, { recursive: true });
});

/** One more process on the same database, with these variables. */
async function start(variables: Record<string, string> = {}): Promise<Installation> {
  const settings = readSettings({ GATEHOUSE_DATA_DIR: folder, ...variables }, folder);
  const log = { info() {}, warn() {}, error: (fields: object) => void logged.push(fields) };
  const installation = await openInstallation(settings, { log, print: () => {} });
  opened.push(installation);
  await prepare(installation);
  return installation;
}

async function change({ deps }: Installation, values: Record<string, string | null>): Promise<void> {
  const { version } = await listSettings(deps);
  await changeSettings({ values, version }, ADMIN, deps);
}
const setServer = (it: Installation, url: string = SERVER) =>
  change(it, { GATEHOUSE_SMTP_URL: url, GATEHOUSE_MAIL_FROM: FROM });

const problemsOf = async (refused: Promise<unknown>) => {
  const error = await refused.catch((cause: unknown) => cause);
  return error instanceof DomainError ? error.problems : error;
};
const serverOf = ({ settings }: Installation) => {
  const { delivery } = settings.current.mail;
  return delivery.kind === "smtp" ? delivery.server : delivery.kind;
};

describe("CO-67 CO-69 the SMTP server is set in the console", () => {
  test("it is in force at once here, in another process when it looks, and after a restart, without a restart of any", async () => {
    const [one, two] = [await start(HTTPS), await start(HTTPS)];
    expect([one.deps.mail.available, one.deps.outbox?.delivery]).toEqual([false, "off"]);
    await setServer(one);
    const server = {
      host: "mail.example.com",
      port: 587,
      tls: "starttls",
      credentials: { user: "mailer", password: "hunter2" },
    };
    expect([serverOf(one), one.deps.mail.available, one.deps.outbox?.delivery]).toEqual([server, true, "smtp"]);
    expect(one.deps.accounts.emailVerification).toBe("first");
    await two.settings.load();
    expect(serverOf(two)).toEqual(server);
    expect(serverOf(await start(HTTPS))).toEqual(server);
    await change(one, { GATEHOUSE_SMTP_URL: null });
    expect([one.deps.mail.available, one.settings.current.mail.sender?.address]).toEqual([
      false,
      "no-reply@shop.example",
    ]);
  });

  test("its password is sealed in the database, and in no answer, audit row or conflict", async () => {
    const it = await start();
    await setServer(it);
    await change(it, { GATEHOUSE_SMTP_URL: "smtp://mailer:correct%20horse@mail.example.com:587" });
    const { values } = await findSavedSettings(it.deps.db);
    expect(values["GATEHOUSE_SMTP_URL"]).not.toMatch(/mailer|mail\.example/);
    const { settings } = await listSettings(it.deps);
    expect(settings.find(({ variable }) => variable === "GATEHOUSE_SMTP_URL")).toMatchObject({
      value: "smtp://mailer@mail.example.com:587",
      source: "console",
    });
    const rows = await listAuditHistory(it.deps.db, { objects: ["settings"], limit: 9 });
    expect(rows.map(({ detail }) => detail)).toMatchObject([
      { changes: { "GATEHOUSE_SMTP_URL password": { after: "changed" } } },
      { changes: { GATEHOUSE_SMTP_URL: { before: null, after: "smtp://mailer@mail.example.com:587" } } },
    ]);
    const stale = await changeSettings({ values: { GATEHOUSE_SMTP_URL: null }, version: 1 }, ADMIN, it.deps).catch(
      (error: unknown) => error,
    );
    expect(stale).toMatchObject({ conflict: { theirs: { GATEHOUSE_SMTP_URL: "smtp://mailer@mail.example.com:587" } } });
    for (const told of [settings, rows, stale instanceof DomainError && stale.conflict, values])
      expect(JSON.stringify(told)).not.toMatch(/hunter2|correct/);
  });

  test.each([
    ["host", "smtp://mailer@elsewhere.example:587"],
    ["port", "smtp://mailer@mail.example.com:2525"],
    ["encryption", "smtps://mailer@mail.example.com:587"],
    ["user", "smtp://somebody@mail.example.com:587"],
  ])("the saved password does not go to another %s; the same server keeps it", async (_, elsewhere) => {
    const it = await start();
    await setServer(it);
    const before = serverOf(it);
    expect(await problemsOf(change(it, { GATEHOUSE_SMTP_URL: elsewhere }))).toMatchObject([
      { path: "GATEHOUSE_SMTP_URL", message: expect.stringContaining("enter the password again") },
    ]);
    expect(serverOf(it)).toEqual(before);
    await change(it, { GATEHOUSE_SMTP_URL: "smtp://mailer@mail.example.com", GATEHOUSE_MAIL_FROM: "a@shop.example" });
    expect(serverOf(it)).toEqual(before);
  });

  test.each([
    ["https://mail.example.com:587", "GATEHOUSE_SMTP_URL", "must be a URL"],
    ["smtp://mailer@mail.example.com", "GATEHOUSE_SMTP_URL", "enter the password"],
    ["hunter2", "GATEHOUSE_SMTP_URL", "must be a URL"],
  ])("%s is refused at its field and changes nothing", async (url, path, message) => {
    const it = await start();
    const problems = await problemsOf(setServer(it, url));
    expect(problems).toMatchObject([{ path, message: expect.stringContaining(message) }]);
    expect(serverOf(it)).toBe("mailbox");
  });

  test("it needs a sender, and cannot be taken away from a setting that needs mail", async () => {
    const it = await start(HTTPS);
    expect(await problemsOf(change(it, { GATEHOUSE_SMTP_URL: SERVER }))).toMatchObject([
      { path: "GATEHOUSE_MAIL_FROM" },
    ]);
    await setServer(it);
    await change(it, { GATEHOUSE_EMAIL_VERIFICATION: "first" });
    expect(await problemsOf(change(it, { GATEHOUSE_SMTP_URL: null }))).toMatchObject([
      { path: "GATEHOUSE_EMAIL_VERIFICATION", message: expect.stringContaining("without mail") },
    ]);
  });

  test("what the environment sets wins and is locked", async () => {
    const it = await start({ GATEHOUSE_SMTP_URL: "smtp://127.0.0.1:1025", GATEHOUSE_MAIL_FROM: FROM });
    expect(await problemsOf(setServer(it))).toMatchObject([
      { path: "GATEHOUSE_SMTP_URL" },
      { path: "GATEHOUSE_MAIL_FROM" },
    ]);
  });

  test("one that was sealed under another secret is left out and logged, and does not stop the start", async () => {
    const it = await start();
    await saveSettings(
      it.deps.db,
      { GATEHOUSE_SMTP_URL: "c2VhbGVkIGVsc2V3aGVyZSBieSBzb21lYm9keQ" },
      { version: 0, also: [] },
    );
    expect(serverOf(await start())).toBe("mailbox");
    expect(logged).toContainEqual({ unreadable: ["GATEHOUSE_SMTP_URL"] });
  });
});

describe("CO-69 EM-02 mails while the SMTP server comes and goes", () => {
  let server: TestSmtpServer;
  beforeEach(async () => {
    server = await startSmtpServer();
  });
  afterEach(() => server.close());

  const author = { ...ADMIN, id: "ada" };
  async function write(it: Installation): Promise<string> {
    const { id } = await sendTestMail(author, it.deps);
    return id;
  }
  async function startWithAda(variables: Record<string, string> = {}): Promise<Installation> {
    const it = await start(variables);
    const ada = { id: "ada", email: "ada@example.com", name: "Ada", role: "admin", passwordHash: "none" } as const;
    await insertUser(it.deps.db, { ...ada, registeredBy: "operator", createdAt: it.deps.now() });
    return it;
  }
  /** Runs the next job as a worker of this process does; a retry is due at once. */
  async function attempt({ database: { background: db }, work }: Installation): Promise<void> {
    const [job] = await claimJobs(db, { queue: "mail", limit: 1, leaseToken: crypto.randomUUID(), leaseSeconds: 60 });
    if (!job) throw new Error("no mail waits");
    try {
      await work.mail.queue.run(job, { signal: new AbortController().signal, fence: () => leaseFence(db, job) });
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      await retryJob(db, job, { error: error.message, seconds: 0 });
    }
  }

  test("a mail that a process wrote for a new server is sent by one that has not heard of the server yet", async () => {
    const one = await startWithAda();
    const two = await start();
    await setServer(one, `smtp://127.0.0.1:${server.port}`);
    expect(serverOf(two)).toBe("mailbox");
    const id = await write(one);
    await attempt(two);
    expect(server.received.map(({ recipients }) => recipients)).toEqual([["ada@example.com"]]);
    expect(await getMail(id, one.deps)).toMatchObject({ state: "sent", answer: expect.stringMatching(/^250/) });
    await expect(readMailContent(id, one.deps)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("without a server on loopback a mail stays in the console, where an admin reads it", async () => {
    const it = await startWithAda();
    const id = await write(it);
    await attempt(it);
    expect(await getMail(id, it.deps)).toMatchObject({ state: "sent", answer: null });
    expect(await readMailContent(id, it.deps)).toMatchObject({ subject: expect.any(String) });
    await setServer(it, `smtp://127.0.0.1:${server.port}`);
    await expect(readMailContent(id, it.deps)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("a mail that waits when the server is removed waits for another one", async () => {
    const it = await startWithAda(HTTPS);
    await setServer(it, `smtp://127.0.0.1:${server.port}`);
    const id = await write(it);
    await change(it, { GATEHOUSE_SMTP_URL: null });
    await attempt(it);
    expect(await getMail(id, it.deps)).toMatchObject({ state: "queued", answer: "no mail server is set" });
    expect(server.received).toEqual([]);
    await setServer(it, `smtp://127.0.0.1:${server.port}`);
    await attempt(it);
    expect(await getMail(id, it.deps)).toMatchObject({ state: "sent" });
    expect(server.received).toHaveLength(1);
  });

  test("a test mail shows what the server answers, and what to do about it", async () => {
    const it = await startWithAda();
    server.behave({ signIn: 535 });
    await setServer(it, `smtp://mailer:hunter2@127.0.0.1:${server.port}`);
    const id = await write(it);
    await attempt(it);
    expect(await getMail(id, it.deps)).toMatchObject({
      state: "queued",
      answer: expect.stringMatching(/^535/),
      advice: expect.stringContaining("refused the user or the password"),
    });
  });
});
