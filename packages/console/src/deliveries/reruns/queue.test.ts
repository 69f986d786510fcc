import type { RerunSelection } from "@gatehouse/db/schema/sqlite/webhook-runs";
import { insertUser } from "@gatehouse/db/stores/accounts/users";
import { jobInsert } from "@gatehouse/db/stores/jobs/jobs";
import { cancelRerun, findRerun, insertRerun, type RerunRow } from "@gatehouse/db/stores/webhooks/reruns";
import { engines } from "@gatehouse/db/testing/engines";
import { defineHandlers, type HandlerMap } from "@gatehouse/work/handlers";
import { type Inbox, openInbox } from "@gatehouse/work/handlers/testing";
import { JobPostponed } from "@gatehouse/work/jobs";
import { afterEach, describe, expect, test } from "vitest";
import { listDeliveryRows } from "../queries.ts";

const event = (id: string, type = "invoice.paid") => ({
  id,
  type,
  created: 1_700_000_000,
  data: { object: { id: "in_1" } },
});

describe.each(engines)("running handlers again on $name", (engine) => {
  let inbox: Inbox;
  afterEach(() => inbox.close());

  const open = async (stripe: NonNullable<HandlerMap["stripe"]>) => {
    inbox = await openInbox(engine, {
      handlers: defineHandlers({ stripe }),
      listMatching: (reads) => (filter, position, limit) => listDeliveryRows(reads, filter, { position, limit }),
    });
    for (const [id, role] of [
      ["ada", "admin"],
      ["dev", "developer"],
    ] as const)
      await insertUser(inbox.db, {
        id,
        role,
        name: id,
        email: `${id}@example.com`,
        passwordHash: null,
        registeredBy: "operator",
        createdAt: 1,
      });
  };

  async function rerun(
    selection: RerunSelection,
    more: Partial<RerunRow> = {},
    ofJob: { attempts?: number } = {},
  ): Promise<RerunRow> {
    const total = selection.kind === "ids" ? selection.ids.length : 0;
    const row: RerunRow = {
      id: "run",
      trigger: "bulk",
      actorId: "ada",
      actorName: "Ada",
      role: "admin",
      selection,
      state: "queued",
      cursor: null,
      total,
      totalKnown: selection.kind === "ids",
      succeeded: 0,
      failed: 0,
      skipped: 0,
      problems: [],
      createdAt: 1,
      finishedAt: null,
      ...more,
    };
    const job = jobInsert(inbox.db, { id: "job", queue: "rerun", payload: { rerunId: row.id }, createdAt: 1 });
    await inbox.db.transaction([insertRerun(inbox.db, row), job]);
    if (ofJob.attempts !== undefined) await inbox.db.update(inbox.db.tables.jobs).set(ofJob);
    await inbox.settle();
    const after = await findRerun(inbox.db, row.id);
    if (!after) throw new Error("the run is gone");
    return after;
  }

  test("PK-56: an event is sent to the product again, also after it was acknowledged", async () => {
    const sent: string[] = [];
    await open({});
    inbox.deps.postBytes = async (_, { headers }) => ({ status: sent.push(headers["webhook-id"] ?? "") > 0 ? 200 : 0 });
    await inbox.forwardTo("https://app.example/hooks");
    const id = await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(await rerun({ kind: "ids", ids: [id] }, { trigger: "manual" })).toMatchObject({ succeeded: 1, failed: 0 });
    expect(sent).toHaveLength(2);
    expect(new Set(sent).size).toBe(1);
    expect(await inbox.attempts()).toMatchObject([
      { handler: "@forward", trigger: "initial", status: 200, actor: null },
      { handler: "@forward", trigger: "manual", status: 200, actor: "Ada" },
    ]);
  });

  test("a postponed handler runs when it can, and the others of the run are not run twice", async () => {
    await open({ "invoice.paid": async () => {} });
    const ids = [await inbox.deliver(event("evt_1")), await inbox.deliver(event("evt_2"))];
    await inbox.settle();
    const { runHandler } = inbox.deps;
    const postponed = new Set<string | null>();
    inbox.deps.runHandler = async (handler, stored, run) => {
      const { id } = stored.facts;
      if (id === "evt_2" && !postponed.has(id)) {
        postponed.add(id);
        throw new JobPostponed("another handler runs alone", { seconds: 0 });
      }
      return runHandler(handler, stored, run);
    };
    expect(await rerun({ kind: "ids", ids })).toMatchObject({ state: "done", succeeded: 2, failed: 0 });
    expect(postponed.size).toBe(1);
    const runs = (await inbox.attempts()).filter(({ trigger }) => trigger === "bulk");
    expect(runs.map(({ deliveryId }) => deliveryId).sort()).toEqual(ids.toSorted());
  });

  test("a run whose process ended each time is cancelled, and says so", async () => {
    await open({ "invoice.paid": async () => {} });
    const id = await inbox.deliver(event("evt_1"));
    const ended = { attempts: 10 };
    expect(await rerun({ kind: "ids", ids: [id] }, {}, ended)).toMatchObject({
      state: "cancelled",
      finishedAt: expect.any(Number),
      succeeded: 0,
      problems: [{ deliveryId: id, verdict: "skipped", message: "Stopped: the process ended while running it." }],
    });
  });

  test("a dead event is handled, by an attempt that says who asked for it; health figures stay", async () => {
    let broken = true;
    await open({
      "invoice.paid": {
        maxAttempts: 1,
        run: async () => {
          if (broken) throw new Error("down");
        },
      },
    });
    const id = await inbox.deliver(event("evt_1"));
    await inbox.settle();
    const counted = [...inbox.counted];
    broken = false;
    expect(await rerun({ kind: "ids", ids: [id] }, { trigger: "manual" })).toMatchObject({
      state: "done",
      total: 1,
      succeeded: 1,
      failed: 0,
      problems: [],
    });
    expect(await inbox.events()).toMatchObject([{ state: "handled" }]);
    expect(await inbox.attempts()).toMatchObject([
      { trigger: "initial", outcome: "error", actor: null },
      { trigger: "manual", outcome: "ok", actor: "Ada" },
    ]);
    expect(inbox.counted).toEqual(counted);
  });

  test("an effect behind once does not happen again", async () => {
    let runs = 0;
    await open({
      async "invoice.paid"(_, { once, db }) {
        runs += 1;
        await once("count", [db.insert(db.tables.installation).values({ key: `effect ${runs}`, value: "1" })]);
      },
    });
    const id = await inbox.deliver(event("evt_1"));
    await inbox.settle();
    await rerun({ kind: "ids", ids: [id] });
    const { installation } = inbox.db.tables;
    const effects = (await inbox.db.select().from(installation)).filter(({ key }) => key.startsWith("effect"));
    expect([runs, effects]).toEqual([2, [{ key: "effect 1", value: "1" }]]);
  });

  test("what the filter finds is run page by page; failures and what cannot run are named", async () => {
    let phase = 1;
    await open({
      "invoice.paid": {
        maxAttempts: 1,
        run: async (payload) => {
          if (phase === 1 || payload.id === "evt_3") throw new Error(`no ${payload.id}`);
        },
      },
    });
    const ids = [];
    for (let at = 1; at <= 12; at++) ids.push(await inbox.deliver(event(`evt_${at}`)));
    const other = await inbox.deliver(event("evt_13", "customer.created"));
    await inbox.settle();
    phase = 2;
    const done = await rerun({ kind: "filter", filter: { provider: "stripe" } });
    expect(done).toMatchObject({
      state: "done",
      total: 13,
      totalKnown: true,
      succeeded: 11,
      failed: 1,
      skipped: 1,
      cursor: null,
    });
    expect(done.problems).toEqual([
      { deliveryId: other, verdict: "skipped", message: "No handler is defined for customer.created." },
      { deliveryId: ids[2], verdict: "failed", message: "no evt_3" },
    ]);
  });

  test("an event that had no handler can be run once there is one", async () => {
    await open({});
    const id = await inbox.deliver(event("evt_1"));
    expect(await inbox.events()).toMatchObject([{ state: "stored" }]);
    const handlers = defineHandlers({ stripe: { "invoice.paid": async () => {} } });
    Object.assign(inbox.deps.handlers, handlers);
    expect(await rerun({ kind: "ids", ids: [id] })).toMatchObject({ succeeded: 1 });
    expect(await inbox.events()).toMatchObject([{ state: "handled" }]);
  });

  test("a cancelled run handles nothing more", async () => {
    let runs = 0;
    await open({
      async "invoice.paid"() {
        runs += 1;
        if (runs > 12) await inbox.db.transaction([cancelRerun(inbox.db, "run", 5)]);
      },
    });
    const ids: string[] = [];
    for (let at = 1; at <= 12; at++) ids.push(await inbox.deliver(event(`evt_${at}`)));
    await inbox.settle();
    expect(runs).toBe(12);
    expect(await rerun({ kind: "ids", ids })).toMatchObject({ state: "cancelled", finishedAt: 5 });
    expect(runs).toBe(17); // the deliveries that were already being handled
  });

  test("CO-02 a developer's run skips production", async () => {
    await open({ "invoice.paid": async () => {} });
    const id = await inbox.deliver(event("evt_1"));
    await inbox.settle();
    const done = await rerun({ kind: "ids", ids: [id, "gone"] }, { actorId: "dev", role: "developer" });
    expect(done).toMatchObject({ state: "done", succeeded: 0, skipped: 2 });
    expect(done.problems.map(({ message }) => message)).toEqual([
      "Only admins can run events of production again.",
      "The delivery has been deleted because of its age.",
    ]);
  });

  test("CO-56 probes of the doctor are not run: a filter leaves them out, and a selection names them", async () => {
    let runs = 0;
    await open({
      async "invoice.paid"() {
        runs += 1;
      },
    });
    const probe = await inbox.deliver(event("evt_1"));
    await inbox.settle();
    await inbox.db.update(inbox.db.tables.webhookDeliveries).set({ source: "probe" });
    const real = await inbox.deliver(event("evt_2"));
    await inbox.settle();
    runs = 0;
    expect(await rerun({ kind: "filter", filter: {} })).toMatchObject({ total: 1, succeeded: 1, skipped: 0 });
    const selected = await rerun({ kind: "ids", ids: [real, probe] }, { id: "selected" });
    expect(selected).toMatchObject({
      succeeded: 1,
      problems: [{ deliveryId: probe, message: expect.stringContaining("probe") }],
    });
    expect(runs).toBe(2);
  });

  test.each([
    ["was disabled", { disabledAt: 1 }, "is disabled"],
    ["lost the role", { role: "viewer" as const }, "is no longer an admin or developer"],
  ])("CO-56 a run is cancelled, with the reason, as soon as its starter %s", async (_, change, reason) => {
    const handled: string[] = [];
    await open({
      async "invoice.paid"({ id }) {
        handled.push(id);
        if (handled.length === 9) await inbox.db.update(inbox.db.tables.users).set(change);
      },
    });
    const ids = [];
    for (let at = 1; at <= 8; at++) ids.push(await inbox.deliver(event(`evt_${at}`)));
    await inbox.settle();
    const run = await rerun({ kind: "ids", ids });
    expect(run).toMatchObject({
      state: "cancelled",
      succeeded: 5,
      problems: [{ verdict: "skipped", message: expect.stringContaining(reason) }],
    });
    expect(handled).toHaveLength(13);
  });

  test("CO-56 a run goes on with the role that its starter has now", async () => {
    await open({ async "invoice.paid"() {} });
    const id = await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(await rerun({ kind: "ids", ids: [id] }, { actorId: "dev", actorName: "Dev", role: "admin" })).toMatchObject({
      state: "done",
      skipped: 1,
      problems: [{ message: expect.stringContaining("Only admins") }],
    });
  });
});
