import { engines } from "@gatehouse/db/testing/engines";
import { describe, expect, test } from "vitest";
import { eventOf, expectToFailAlone, openInboxWithProcess } from "../testing/misbehaving-process.ts";

// On one engine, since the rows are those of running.test.ts. Every misbehaviour, on both, is in process.full.test.ts;
// several in the built server are in e2e/http/extend.test.ts.

describe.each(engines.slice(0, 1))("handlers in a process of their own, on $name", (engine) => {
  test("OP-23 a handler that ends its process has failed once, and the runs beside it do not count", async () => {
    await expectToFailAlone(engine, ["payout.created", "payout.canceled", "payout.paid"]);
  }, 300_000);

  test("OP-72 a stop ends the process that a handler blocks, and gives its job back", async () => {
    const inbox = await openInboxWithProcess(engine);
    const { db } = inbox;
    const { tables } = db;
    await inbox.deliver(eventOf("evt_1", "invoice.voided"));
    const worker = inbox.startWorker();
    const pid = async () =>
      Number((await db.select().from(tables.installation)).find(({ key }) => key === "blocked")?.value);
    await expect.poll(pid, { timeout: 30_000 }).toBeGreaterThan(0);
    const blocked = await pid();
    await worker.stop(30_000);
    expect(await inbox.jobs()).toMatchObject([{ attempts: 0, leaseToken: null, lastError: null }]);
    expect(() => process.kill(blocked, 0)).toThrow("ESRCH");
    await inbox.close();
  }, 60_000);
});
