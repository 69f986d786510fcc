import { leaseFence } from "@gatehouse/db/stores/jobs/job-outcomes";
import { listJobRows } from "@gatehouse/db/stores/jobs/jobs";
import { requeueMail } from "@gatehouse/db/stores/jobs/mails";
import { engines } from "@gatehouse/db/testing/engines";
import { NOW } from "@gatehouse/db/testing/people";
import { createWorker } from "@gatehouse/work/jobs";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSmtp } from "./smtp.ts";
import { openOutbox, type TestOutbox } from "./testing/outbox.ts";
import { type Behaviour, startSmtpServer, type TestSmtpServer } from "./testing/smtp-server.ts";

describe.each(engines)("the outbox on $name", (engine) => {
  let outbox: TestOutbox;
  let server: TestSmtpServer;
  beforeEach(async () => {
    [outbox, server] = await Promise.all([openOutbox(engine), startSmtpServer()]);
  });
  afterEach(() => Promise.all([outbox.database.close(), server.close()]));

  const FROM = { name: "", address: "no-reply@id.example" };
  const queue = () => {
    const smtp = createSmtp({ host: "127.0.0.1", port: server.port, tls: "none", credentials: undefined }, FROM);
    return outbox.queueFor({ kind: "smtp", smtp });
  };
  const jobs = () => listJobRows(outbox.db, { dead: false, queue: "mail", limit: 10, now: NOW });

  test("EM-03 a mail that was sent keeps the server's answer and nothing of what it said", async () => {
    const mail = await outbox.save();
    expect(await outbox.attempt(queue())).toBe("done");
    expect(await outbox.mailOf(mail)).toMatchObject({
      state: "sent",
      payload: null,
      attempts: 1,
      sentAt: NOW,
      answer: expect.stringMatching(/^250/),
    });
    expect(await jobs()).toEqual([]);
    expect(await PostalMime.parse(server.received[0]?.raw ?? "")).toMatchObject({
      to: [{ address: "ada@example.com" }],
    });
  });

  test("EM-03 a waiting mail reveals nothing of what it says", async () => {
    const mail = await outbox.save({ data: { code: "12345678", link: "https://id.example/secret" } });
    expect(JSON.stringify([await outbox.mailOf(mail), await jobs()])).not.toMatch(/12345678|secret/);
  });

  test("N76 421: it is tried again after 10 s, 1 min, 5 min, 30 min and 2 h, then fails, and can be sent again", async () => {
    server.behave({ data: 421 });
    const mail = await outbox.save();
    const waits: unknown[] = [];
    for (let count = 0; count < 6; count++) waits.push(await outbox.attempt(queue()));
    expect(waits).toEqual([10, 60, 300, 1800, 7200, "done"]);
    expect(await outbox.mailOf(mail)).toMatchObject({
      state: "failed",
      attempts: 6,
      answer: expect.stringContaining("421"),
    });
    expect(await outbox.attempt(queue())).toBe("no job");

    server.behave({});
    expect(await requeueMail(outbox.db, mail, NOW)).toBe(true);
    expect(await outbox.attempt(queue())).toBe("done");
    expect(await outbox.mailOf(mail)).toMatchObject({ state: "sent", payload: null });
    expect(await requeueMail(outbox.db, mail, NOW)).toBe(false);
  });

  test("EM-03 a mail whose job is dead has failed, so that it is not queued for ever", async () => {
    const mail = await outbox.save();
    const job = {
      id: "j",
      queue: "mail",
      orderKey: null,
      payload: { mailId: mail.id },
      attempts: 7,
      leaseToken: "",
      createdAt: NOW,
    };
    await outbox.db.transaction((await queue().whenBuried?.(job, "the process ended while running it")) ?? []);
    expect(await outbox.mailOf(mail)).toMatchObject({
      state: "failed",
      attempts: 7,
      answer: expect.stringContaining("log"),
    });
  });

  test.each<[string, Behaviour]>([
    ["550 for the recipient", { recipient: 550 }],
    ["554 for the message", { data: 554 }],
  ])("N76 %s ends the mail at once", async (_, behaviour) => {
    server.behave(behaviour);
    const mail = await outbox.save();
    expect(await outbox.attempt(queue())).toBe("done");
    expect(await outbox.mailOf(mail)).toMatchObject({
      state: "failed",
      attempts: 1,
      answer: expect.stringMatching(/^55/),
    });
  });

  test("N76 a server that dies after DATA: the mail is sent again with the same Message-ID, and nothing else happens twice", async () => {
    server.behave({ data: "close" });
    const mail = await outbox.save();
    expect(await outbox.attempt(queue())).toBe(10);
    server.behave({});
    expect(await outbox.attempt(queue())).toBe("done");
    const ids = await Promise.all(server.received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId));
    expect(ids).toEqual([`<${mail.id}@id.example>`, `<${mail.id}@id.example>`]);
    const { mails, mailedTokens } = outbox.db.tables;
    expect([
      (await outbox.db.select().from(mails)).length,
      (await outbox.db.select().from(mailedTokens)).length,
    ]).toEqual([1, 1]);
  });

  test("N76 a server that hangs: the mail waits, and the log does not name its recipient", async () => {
    server.behave({ data: "hang" });
    const mail = await outbox.save();
    const controller = new AbortController();
    const attempt = outbox.attempt(queue(), controller.signal);
    await server.hanging;
    controller.abort(new Error("the process stops"));
    expect(await attempt).toBe(10);
    expect(await outbox.mailOf(mail)).toMatchObject({ state: "queued", attempts: 1 });
    expect(JSON.stringify([outbox.logged, (await jobs()).map(({ lastError }) => lastError)])).not.toContain("ada@");
  });

  test("N76 a worker that lost its lease does not change the mail, which the other one ends", async () => {
    const mail = await outbox.save();
    const lost = await outbox.claim();
    if (!lost) throw new Error("no job");
    const { jobs: table } = outbox.db.tables;
    await outbox.db.update(table).set({ leaseToken: "another worker" });
    await queue().run(lost, { signal: new AbortController().signal, fence: () => leaseFence(outbox.db, lost) });
    expect(await outbox.mailOf(mail)).toMatchObject({ state: "queued" });
    await outbox.db.update(table).set({ leaseToken: null, runAt: 0 });
    expect(await outbox.attempt(queue())).toBe("done");
    expect(await outbox.mailOf(mail)).toMatchObject({ state: "sent" });
  });

  test("EM-03 one mail that cannot be delivered holds up no other", async () => {
    server.behave({ recipient: (address) => (address.startsWith("full") ? 451 : undefined) });
    const full = await Promise.all([1, 2, 3, 4, 5, 6].map((count) => outbox.save({ to: `full${count}@example.com` })));
    const good = await outbox.save({ to: "bob@example.com" });
    const log = () => {};
    const worker = createWorker({ db: outbox.db, random: outbox.random, log: { warn: log, error: log }, pollMs: 20 });
    worker.start({ mail: queue() });
    await expect.poll(async () => (await outbox.mailOf(good))?.state, { timeout: 15_000 }).toBe("sent");
    await worker.stop(0);
    for (const mail of full) expect(await outbox.mailOf(mail)).toMatchObject({ state: "queued" });
  });

  test("EM-03 a mail whose link is dead is not sent: expired, spent, or replaced by a newer one", async () => {
    const expired = await outbox.save({ expiresAt: NOW });
    const replaced = await outbox.save({ to: "bob@example.com" });
    const newer = await outbox.save({ to: "bob@example.com" });
    for (let count = 0; count < 3; count++) await outbox.attempt(queue());
    expect(await outbox.mailOf(expired)).toMatchObject({ state: "expired", payload: null });
    expect(await outbox.mailOf(replaced)).toMatchObject({ state: "expired", payload: null });
    expect(await outbox.mailOf(newer)).toMatchObject({ state: "sent" });
    expect(server.received).toHaveLength(1);
  });

  test("EM-02 on loopback without a server the whole mail stays and the terminal is told; elsewhere it waits for a server", async () => {
    const told: string[] = [];
    const kept = await outbox.save({ data: { code: "12345678", link: "https://id.example/x" } });
    await outbox.attempt(
      outbox.queueFor({ kind: "mailbox", tell: ({ recipient }, { code }) => told.push(`${recipient} ${code}`) }),
    );
    expect(told).toEqual(["ada@example.com 12345678"]);
    expect(await outbox.mailOf(kept)).toMatchObject({ state: "sent", payload: expect.any(String) });

    const off = await outbox.save({ to: "bob@example.com" });
    expect(await outbox.attempt(outbox.queueFor(undefined))).toBe(10);
    expect(await outbox.mailOf(off)).toMatchObject({ state: "queued", answer: "no mail server is set", attempts: 1 });
    await outbox.attempt(queue());
    expect(await outbox.mailOf(off)).toMatchObject({ state: "sent" });
  });
});
