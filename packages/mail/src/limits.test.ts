import { TooManyMails } from "@gatehouse/accounts";
import { engines } from "@gatehouse/db/testing/engines";
import type { Queue } from "@gatehouse/work/jobs";
import { afterEach, describe, expect, test } from "vitest";
import { openOutbox, type TestOutbox } from "./testing/outbox.ts";

type Db = TestOutbox["db"];

describe.each(engines)("mails that strangers can cause, on $name", (engine) => {
  let outbox: TestOutbox;
  afterEach(() => outbox.database.close());

  const start = async (settings: { burst?: number } = {}) => {
    outbox = await openOutbox(engine, settings);
    return outbox.queueFor({ kind: "mailbox", tell: () => {} });
  };
  const states = async () => {
    const rows = await outbox.db.select().from(outbox.db.tables.mails);
    return rows.map(({ state, answer }) => (answer === null ? state : `${state}: ${answer}`)).sort();
  };
  const asking = (queue: Queue) => async (mail: Parameters<TestOutbox["save"]>[0]) => {
    await outbox.save(mail);
    await outbox.attempt(queue);
  };
  const times = (count: number, value: string) => Array.from({ length: count }, () => value);

  test("AB-07 N73 of 12 mails to one address, with tags and dots, five go out; the rows of the others are the same until then", async () => {
    const queue = await start();
    const addresses = ["ada@example.com", "a.d.a@example.com", "ada+1@example.com", "a.da+2@example.com"];
    for (let count = 0; count < 12; count++)
      await outbox.save({ to: addresses[count % 4] ?? "", address: `192.0.2.${count}` });
    expect(await states()).toEqual(times(12, "queued"));
    const counted = await outbox.db.select().from(outbox.db.tables.jobs);
    expect(counted).toHaveLength(12);
    for (let count = 0; count < 12; count++) await outbox.attempt(queue);
    expect((await states()).filter((state) => state === "dropped: limit_recipient")).toHaveLength(7);
  });

  test("SN-04 AB-07 a notice goes out when every limit is reached, and counts for none", async () => {
    const queue = await start({ burst: 1 });
    for (let count = 0; count < 6; count++) {
      await outbox.save();
      await outbox.attempt(queue);
    }
    const data = { at: 1_800_000_000, userAgent: null, address: null };
    for (let count = 0; count < 12; count++) {
      await outbox.addAlone(
        outbox.composer.compose("password_changed", { to: "ada@example.com", trusted: true, locale: "en", data }),
      );
      await outbox.attempt(queue);
    }
    expect((await states()).filter((state) => state === "sent")).toHaveLength(1 + 12);
    expect((await states()).filter((state) => state.startsWith("dropped: limit"))).toHaveLength(5);
  });

  /** Adds a notice about Ada's account, and lets the queue send it. */
  async function notify(queue: Queue, trusted: boolean, meanwhile: () => Promise<unknown> = async () => {}) {
    const data = { at: 1_800_000_000, userAgent: null, address: null };
    const about = { to: "ada@example.com", trusted, userId: "ada", locale: "en", data };
    await outbox.addAlone(outbox.composer.compose("new_sign_in", about));
    await meanwhile();
    await outbox.attempt(queue);
  }

  test("AB-07 SN-04 notices to an address that nobody proved count for it; once it is proved, every one goes out", async () => {
    const queue = await start();
    for (let count = 0; count < 8; count++) await notify(queue, false);
    expect(await states()).toEqual([...times(5, "dropped: limit_recipient"), ...times(3, "sent")]);
    for (let count = 0; count < 8; count++) await notify(queue, true);
    expect((await states()).filter((state) => state === "sent")).toHaveLength(3 + 8);
  });

  const MOVED = {
    id: "ada",
    email: "ada@example.org",
    name: "Ada",
    role: "user",
    createdAt: 1,
    emailVerifiedAt: 1,
  } as const;
  test.each<[string, (db: Db) => Promise<unknown>]>([
    [
      "has another address, which is proved",
      async (db) => {
        await db.delete(db.tables.users);
        await db.insert(db.tables.users).values(MOVED);
      },
    ],
    ["is deleted", (db) => db.delete(db.tables.users)],
  ])("AB-07 they count as they were composed, also once the account %s", async (_, change) => {
    const queue = await start();
    for (let count = 0; count < 4; count++) await notify(queue, false, () => change(outbox.db));
    expect(await states()).toEqual(["dropped: limit_recipient", ...times(3, "sent")]);
  });

  test("AB-07 RG-05 notices to an address that nobody proved leave two mails for links and codes", async () => {
    const queue = await start();
    for (let count = 0; count < 8; count++) await notify(queue, false);
    for (let count = 0; count < 3; count++) {
      await outbox.save();
      await outbox.attempt(queue);
    }
    expect(await states()).toEqual([...times(5 + 1, "dropped: limit_recipient"), ...times(3 + 2, "sent")]);
  });

  test("AB-07 parallel requests get no more", async () => {
    const queue = await start();
    const caller = { address: null };
    const data = { code: "1", link: "https://id.example/x" };
    const compose = () =>
      outbox.composer.composeRequested("sign_in_code", {
        to: "ada@example.com",
        locale: "en",
        data,
        caller,
        deliver: true,
      });
    for (const mail of await Promise.all(Array.from({ length: 20 }, compose))) await outbox.addAlone(mail);
    for (let count = 0; count < 20; count++) await outbox.attempt(queue);
    expect((await states()).filter((state) => state === "sent")).toHaveLength(5);
  });

  test("AB-07 one address causes 60 mails an hour, known recipients or not", async () => {
    await start();
    for (let count = 0; count < 60; count++)
      await outbox.save({ to: `${count}@example.com`, deliver: count % 2 === 0 });
    for (const deliver of [true, false]) {
      await expect(outbox.save({ to: "new@example.com", deliver })).rejects.toThrow(TooManyMails);
      await expect(outbox.save({ to: "new@example.com", deliver, address: "198.51.100.1" })).resolves.toBeDefined();
    }
  });

  test("AB-07 all together cause GATEHOUSE_MAIL_BURST mails an hour, which the console says; made-up addresses do not count", async () => {
    const queue = await start({ burst: 3 });
    for (let count = 0; count < 10; count++)
      await outbox.save({ to: `nobody${count}@example.com`, deliver: false, address: `192.0.2.${count}` });
    for (let count = 0; count < 3; count++)
      await outbox.save({ to: `${count}@example.com`, address: `198.51.100.${count}` });
    expect(await outbox.limits.burstSeconds()).toBeGreaterThan(0);
    await outbox.save({ to: "last@example.com", address: "203.0.113.1" });
    for (let count = 0; count < 14; count++) await outbox.attempt(queue);
    expect(await states()).toEqual(
      [...times(10, "dropped: no_account"), "dropped: limit_burst", ...times(3, "sent")].sort(),
    );
  });

  test("AB-07 CO-67 a change of the number counts at the next mail", async () => {
    const queue = await start({ burst: 1 });
    await outbox.save({ to: "first@example.com" });
    await outbox.attempt(queue);
    expect(await outbox.limits.burstSeconds()).toBeGreaterThan(0);
    outbox.allowed.burst = 3;
    expect(await outbox.limits.burstSeconds()).toBe(0);
    await outbox.save({ to: "second@example.com" });
    await outbox.attempt(queue);
    expect(await states()).toEqual(["sent", "sent"]);
  });

  test("AB-03 AB-07 strangers who cause GATEHOUSE_MAIL_BURST mails keep nobody's known browser from its mails", async () => {
    const ask = asking(await start({ burst: 3 }));
    for (let count = 0; count < 5; count++) await ask({ to: `${count}@example.com`, address: `198.51.100.${count}` });
    for (let count = 0; count < 3; count++) await ask({ browserId: "ada's" });
    expect(await states()).toEqual([...times(2, "dropped: limit_burst"), ...times(6, "sent")]);
  });

  test("AB-03 AB-07 beyond as many mails in known browsers, each account gets two an hour: an account has many browsers", async () => {
    const ask = asking(await start({ burst: 3 }));
    for (let count = 0; count < 8; count++) await ask({ to: "eve@example.com", browserId: `eve's ${count}` });
    for (let count = 0; count < 3; count++) await ask({ browserId: "ada's" });
    expect(await states()).toEqual([...times(3 + 1, "dropped: limit_burst"), ...times(3 + 2 + 2, "sent")]);
  });
});
