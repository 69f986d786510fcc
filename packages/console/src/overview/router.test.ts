import { sha256 } from "@gatehouse/auth";
import { writeFact } from "@gatehouse/db/facts";
import { EVICTED_SINCE } from "@gatehouse/db/stores/webhooks/eviction";
import { engines } from "@gatehouse/db/testing/engines";
import { examinedRows, recordingDb, type Sent } from "@gatehouse/db/testing/plans";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApplication } from "../applications/applications.ts";
import { registerClient } from "../clients/register.ts";
import { ADMIN, type Installation, NOON, openInstallation, seedApplication, webClient } from "../testing/callers.ts";
import { getAttention, noteAttention } from "./attention.ts";
import { readFirstSteps } from "./first-step-queries.ts";
import { getFirstSteps } from "./getting-started.ts";
import { getOverview } from "./overview.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

describe.each(engines)("the overview on $name", (engine) => {
  let it: Installation;
  const hour = Math.floor(NOON / HOUR) * HOUR;
  const day = Math.floor(NOON / DAY) * DAY;
  const row = (at: number, environment: string, metric: string, key: string, count: number) => ({
    at,
    environment,
    metric,
    key,
    count,
  });
  beforeAll(async () => {
    it = await openInstallation(engine);
    const { db } = it.deps;
    const { tables } = db;
    const elapsed = NOON - hour;
    expect(elapsed).toBe(0); // so the bar of this hour has only begun
    await db
      .insert(tables.statHour)
      .values([
        row(hour, "production", "sign_in", "succeeded/password", 5),
        row(hour - HOUR, "production", "sign_in", "succeeded/passkey", 2),
        row(hour - HOUR, "staging", "sign_in", "failed/password/wrong_password", 3),
        row(hour - 26 * HOUR, "production", "sign_in", "succeeded/password", 4),
        row(hour - 25 * HOUR, "production", "sign_in", "succeeded/password", 100),
        row(hour, "production", "token", "refresh_token", 7),
        row(hour - HOUR, "production", "token", "client_credentials", 9),
        ...Array.from({ length: 12 }, (_, n) => row(hour - HOUR, "production", "refusal", `cause_${n}`, 12 - n)),
        row(hour, "production", "webhook_result", "stripe/accepted", 6),
        row(hour, "production", "webhook_result", "stripe/rejected", 1),
      ]);
    await db.insert(tables.statDay).values([row(day - 29 * DAY, "production", "token", "refresh_token", 11)]);
  });
  afterAll(() => it.close());
  const get = (input: { range?: "1h" | "24h" | "7d" | "30d"; environment?: "staging" }) =>
    it.as("viewer").overview.get(input);

  test("CO-10 a chart has a bar for every hour, a total for each part, and the total of the day before up to this minute", async () => {
    const { from, stepSeconds, signIns, tokens, webhooks } = await get({});
    expect({ from, stepSeconds, bars: signIns.bars.length }).toEqual({ from: hour - DAY, stepSeconds: HOUR, bars: 25 });
    expect(signIns).toMatchObject({
      total: 7,
      failed: 3,
      before: 4,
      series: [
        { name: "succeeded", total: 7 },
        { name: "failed", total: 3 },
      ],
    });
    expect(signIns.bars.slice(-2)).toEqual([
      { at: hour - HOUR, counts: [2, 3] },
      { at: hour, counts: [5, 0] },
    ]);
    expect(tokens).toMatchObject({
      total: 16,
      before: 0,
      series: [{ name: "client_credentials" }, { name: "refresh_token" }],
    });
    expect(webhooks).toMatchObject({ total: 7, failed: 1, series: [{ name: "stripe", total: 7 }] });
  });

  test("CO-10 of refusals, the eight most frequent causes are shown and the rest is one part", async () => {
    const { refusals } = await get({ range: "7d" });
    expect(refusals.series.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 8 }, (_, n) => `cause_${n}`),
      "other",
    ]);
    expect(refusals.series.at(-1)).toEqual({ name: "other", total: 4 + 3 + 2 + 1 });
    expect(refusals.bars.at(-1)?.counts.length).toBe(9);
  });

  test("CO-10 an environment leaves out the others; 30 days come from the counts per day", async () => {
    expect((await get({ environment: "staging" })).signIns).toMatchObject({ total: 0, failed: 3 });
    expect(await get({ range: "30d" })).toMatchObject({ stepSeconds: DAY, tokens: { total: 11 } });
  });

  test("CO-13 the page, with Getting started, takes six statements at most, and none reads a large table from end to end", async () => {
    const sent: Sent[] = [];
    const deps = { ...it.deps, reads: recordingDb(it.database, sent) };
    await noteAttention(it.deps);
    await Promise.all([getOverview({ range: "7d" }, deps), getAttention({}, deps)]);
    const steps: Sent[] = [];
    await getFirstSteps({ ...deps, reads: recordingDb(it.database, steps) });
    expect(sent.length + steps.length).toBeLessThanOrEqual(6);
    // The steps stop at the first row that they find, which no plan of SQLite shows.
    const large =
      /(from|join) "(users|grants|access_tokens|refresh_families|sessions|webhook_deliveries|webhook_events|clients)"/;
    for (const statement of sent.filter(({ sql }) => large.test(sql)))
      expect(await examinedRows(it.database, statement, "BEGIN")).toBeLessThan(100);
  });

  describe("what needs somebody, CO-09", () => {
    const again = async () => (await it.as("viewer").overview.attention({ again: true })).items;
    const ofCheck = async (check: string) => (await again()).filter((item) => item.check === check);

    test("every check is listed with its state; those that found nothing have no time", async () => {
      const items = await again();
      const names = ["write_latency", "sweeper", "key_maintenance", "clock", "mail", "inbox", "audit"];
      expect(items.map(({ check }) => check)).toEqual([
        ...names,
        "admins",
        "secrets",
        "failures",
        "providers",
        "webhook_modes",
        "production_clients",
      ]);
      for (const { state, since } of items) expect(since === null).toBe(state === "ok");
    });

    test("write latency: a slow write is a warning, one that fails a failure since it began to fail", async () => {
      const statusOf = async (health: { flushMs: number | null; failingSince: number | null }) =>
        (await getAttention({ again: true }, { ...it.deps, writeHealth: () => health })).items[0];
      expect(await statusOf({ flushMs: 1_000, failingSince: null })).toMatchObject({
        check: "write_latency",
        state: "ok",
      });
      expect(await statusOf({ flushMs: 1_500, failingSince: null })).toMatchObject({
        state: "warning",
        sentence: expect.stringContaining("took 1.5 s"),
      });
      expect(await statusOf({ flushMs: 2, failingSince: NOON - 60 })).toMatchObject({
        state: "failed",
        since: NOON - 60,
      });
    });

    test("the sweeper and key maintenance are late after 15 minutes, and the database's clock may differ by 5 seconds", async () => {
      const { db } = it.deps;
      const { tables: t } = db;
      // The database's clock is the real one.
      const real = () => Math.floor(Date.now() / 1000);
      const of = async (now: () => number) => {
        const { items } = await getAttention({ again: true }, { ...it.deps, now });
        return ["sweeper", "key_maintenance", "clock"].map((name) => items.find(({ check }) => check === name));
      };
      await db.insert(t.leases).values([
        { name: "sweep", holder: "a", until: real() - 20 * 60 },
        { name: "signing_keys", holder: "a", until: real() - 10 * 60 },
      ]);
      expect(await of(real)).toMatchObject([
        { state: "failed", sentence: expect.stringContaining("late by 20 min") },
        { state: "ok" },
        { state: "ok" },
      ]);
      await db.delete(t.leases);
      await db.insert(t.leases).values({ name: "signing_keys", holder: "a", until: real() - 30 * 60 });
      const [sweeper, keys, clock] = await of(() => real() + 60);
      expect([sweeper?.state, keys?.state, clock?.state]).toEqual(["ok", "failed", "warning"]);
      expect(clock?.sentence).toMatch(/^The database’s clock is \d+ s behind this server’s\./);
      await db.delete(t.leases);
    });

    test("mail that the SMTP server does not take, and a full inbox, since they began", async () => {
      const { db } = it.deps;
      const { tables: t } = db;
      const mail = {
        kind: "notice",
        recipient: "ada@example.com",
        locale: "en",
        state: "queued",
        attempts: 1,
      } as const;
      await db
        .insert(t.mails)
        .values([1, 2].map((n) => ({ ...mail, id: `mail-${n}`, createdAt: NOON - 60 * n, answer: "421 later" })));
      await writeFact(it.deps.db, EVICTED_SINCE, String(NOON - 120));
      expect(await ofCheck("mail")).toMatchObject([{ state: "failed", since: NOON - 120, fix: { page: "mail" } }]);
      expect(await ofCheck("inbox")).toMatchObject([
        { state: "warning", since: NOON - 120, fix: { page: "deliveries" } },
      ]);
      await db.delete(t.mails);
      await db.delete(t.installation);
      expect([...(await ofCheck("mail")), ...(await ofCheck("inbox"))]).toMatchObject([
        { state: "ok" },
        { state: "ok" },
      ]);
    });

    test("a finding keeps the time at which it was first seen, until it is fixed", async () => {
      await noteAttention(it.deps);
      const [first] = await ofCheck("admins");
      expect(first).toMatchObject({ state: "warning", since: NOON, fix: { page: "users" } });
      it.clock.now = NOON + 60;
      expect(await ofCheck("admins")).toEqual([first]);
      const { db } = it.deps;
      const { tables } = db;
      const second = {
        id: "second",
        email: "second@example.com",
        name: "S",
        role: "admin",
        createdAt: NOON,
        registeredBy: "operator",
      } as const;
      await db.insert(tables.users).values(second);
      expect(await ofCheck("admins")).toMatchObject([{ state: "ok", since: null }]);
      it.clock.now = NOON;
    });

    test("between runs the stored result is shown, for at most five minutes", async () => {
      await noteAttention(it.deps);
      it.clock.now = NOON + 299;
      expect((await it.as("viewer").overview.attention({})).at).toBe(NOON);
      it.clock.now = NOON + 300;
      expect((await it.as("viewer").overview.attention({})).at).toBe(NOON + 300);
      it.clock.now = NOON;
    });

    test("a production client without a live secret, and a secret in use that ends soon, lead to their client; CO-14 lists it", async () => {
      const { applicationId } = await seedApplication(it.deps, "Shop");
      const draft = webClient({ environment: "production", redirectUris: ["https://shop.example/callback"] });
      const { client } = await registerClient({ ...draft, applicationId }, ADMIN, it.deps);
      const { db } = it.deps;
      const { tables: t } = db;
      expect(await ofCheck("production_clients")).toMatchObject([{ state: "ok" }]);
      await db.update(t.clientSecrets).set({ expiresAt: NOON + 2 * DAY, lastUsedAt: NOON - 60 });
      const fix = { page: "client", clientId: client.clientId, tab: "secrets" };
      const ending = (await ofCheck("secrets")).find(
        (item) => item.fix?.page === "client" && item.fix.clientId === client.clientId,
      );
      expect(ending).toMatchObject({ state: "failed", fix });
      expect(ending?.sentence).toContain("of Shop (production) is in use and expires in 2 days");
      const listed = {
        kind: "client",
        owner: "Shop",
        environment: "production",
        inUse: true,
        expiresAt: NOON + 2 * DAY,
      };
      expect((await get({})).endingSoon).toEqual(expect.arrayContaining([expect.objectContaining(listed)]));
      const { id: tokenId } = await it
        .as("admin")
        .apiTokens.create({ name: "CI", scopes: ["audit:read"], expiresInSeconds: DAY });
      await db.update(t.apiTokens).set({ lastUsedAt: NOON - 60 });
      expect((await get({})).endingSoon[0]).toMatchObject({
        kind: "api_token",
        id: tokenId,
        owner: "CI",
        environment: null,
        inUse: true,
      });
      const token = (await ofCheck("secrets")).find(({ object }) => object === tokenId);
      expect(token).toMatchObject({
        sentence: "API token CI is in use and expires in 1 day.",
        fix: { page: "api-tokens" },
      });
      await it.as("admin").apiTokens.revoke({ id: tokenId });
      await db.update(t.clientSecrets).set({ expiresAt: NOON - 1 });
      const [stopped] = await ofCheck("production_clients");
      expect(stopped).toMatchObject({
        state: "failed",
        object: client.clientId,
        fix: { ...fix, name: "Main", environment: "production" },
      });
      expect(stopped?.sentence).toContain("The production client Main of Shop has no live secret");
      expect((await get({})).endingSoon).toEqual([]);
      await db.update(t.clientSecrets).set({ expiresAt: null });
    });

    describe("with many secrets and clients, CO-09 CO-14", () => {
      let other: Installation;
      beforeAll(async () => {
        other = await openInstallation(engine);
      });
      afterAll(() => other.close());

      test("25 unused secrets that end first hide none in use, of any kind; 20 are listed, those in use first", async () => {
        const { db } = other.deps;
        const { tables: t } = db;
        const { applicationId, clientId } = await seedApplication(other.deps, "Shop");
        const secret = (id: string, expiresAt: number, lastUsedAt: number | null) => ({
          id,
          clientId,
          hash: sha256(id),
          hint: id.slice(-4),
          createdAt: NOON,
          expiresAt,
          lastUsedAt,
        });
        await db
          .insert(t.clientSecrets)
          .values([
            ...Array.from({ length: 25 }, (_, n) =>
              secret(`unused-${n}`, NOON + HOUR + n, n % 2 ? null : NOON - 8 * DAY),
            ),
            secret("in-use", NOON + 13 * DAY, NOON - 60),
            secret("later", NOON + 15 * DAY, NOON - 60),
          ]);
        const { id: tokenId } = await other
          .as("admin")
          .apiTokens.create({ name: "CI", scopes: ["audit:read"], expiresInSeconds: 14 * DAY });
        await db.update(t.apiTokens).set({ lastUsedAt: NOON - 60 });
        const { items } = await other.as("viewer").overview.attention({ again: true });
        expect(items.filter(({ check }) => check === "secrets").map(({ object }) => object)).toEqual([
          "in-use",
          tokenId,
        ]);
        const { endingSoon } = await other.as("viewer").overview.get({});
        expect(endingSoon.map(({ id }) => id)).toEqual([
          "in-use",
          tokenId,
          "later",
          ...Array.from({ length: 17 }, (_, n) => `unused-${n}`),
        ]);

        const production = webClient({ environment: "production", redirectUris: ["https://shop.example/callback"] });
        for (const n of [1, 2, 3, 4, 5, 6]) {
          const options =
            n === 6 ? {} : ({ authentication: "private_key_jwt", jwksUri: "https://shop.example/jwks" } as const);
          await registerClient({ ...production, applicationId, name: `Client ${n}`, options }, ADMIN, other.deps);
        }
        await db.update(t.clientSecrets).set({ revokedAt: NOON });
        const again = (await other.as("viewer").overview.attention({ again: true })).items;
        expect(again.filter(({ check }) => check === "production_clients")).toMatchObject([
          { state: "failed", fix: { name: "Client 6" } },
        ]);
      });
    });

    test("one client's group of failures at five times its usual rate, from 20 an hour on, unless it is muted", async () => {
      const { clientId } = await seedApplication(it.deps, "Spiking");
      const { db } = it.deps;
      const { tables: t } = db;
      const group = (key: string, change: object = {}) => ({
        key,
        cause: "secret_wrong",
        endpoint: "/token",
        clientId,
        difference: "",
        firstAt: NOON,
        lastAt: NOON,
        count: 1,
        ...change,
      });
      const groups = ["rare", "usual", "few", "muted"].map((key) =>
        group(key, key === "muted" ? { mutedUntil: NOON + DAY } : {}),
      );
      await db
        .insert(t.refusalGroups)
        .values([...groups, group("unknown", { clientId: null })] as (typeof t.refusalGroups.$inferInsert)[]);
      await db.insert(t.refusalGroupHours).values([
        { groupKey: "rare", at: hour - HOUR, count: 60 },
        { groupKey: "rare", at: hour - 30 * HOUR, count: 168 * 12 },
        { groupKey: "usual", at: hour - HOUR, count: 900 },
        { groupKey: "usual", at: hour - 30 * HOUR, count: 168 * 181 },
        { groupKey: "few", at: hour - HOUR, count: 19 },
        { groupKey: "muted", at: hour - HOUR, count: 500 },
        { groupKey: "unknown", at: hour - HOUR, count: 30 },
      ]);
      const rate = expect.stringContaining(
        "That refuses 60 requests of Spiking · Main (development) an hour, usually 12.",
      );
      expect(await ofCheck("failures")).toMatchObject([
        { object: "rare", state: "warning", sentence: rate, fix: { page: "failures", group: "rare" } },
        {
          object: "unknown",
          sentence: expect.stringContaining("30 requests of unknown clients an hour, usually hardly any"),
        },
      ]);
      await db.delete(t.refusalGroups);
      expect(await ofCheck("failures")).toMatchObject([{ state: "ok" }]);
    });

    test("an endpoint whose events the provider marks as those of another environment, within a day", async () => {
      const { db } = it.deps;
      const { tables: t } = db;
      const endpoint = { provider: "paypal", settings: {}, createdAt: NOON } as const;
      await db.insert(t.webhookEndpoints).values([
        { ...endpoint, slug: "paypal", environment: "production" },
        { ...endpoint, slug: "paypal-dev", environment: "development" },
      ]);
      await db
        .insert(t.statHour)
        .values([
          row(hour, "production", "webhook_mode", "paypal/test", 2),
          row(hour - 2 * HOUR, "development", "webhook_mode", "paypal-dev/live", 1),
          row(hour, "production", "webhook_mode", "gone/test", 1),
        ]);
      expect(await ofCheck("webhook_modes")).toMatchObject([
        { state: "warning", object: "paypal/test", fix: { page: "endpoint", slug: "paypal" } },
        { state: "warning", object: "paypal-dev/live", sentence: expect.stringContaining("but not in production") },
      ]);
      const later = { ...it.deps, now: () => NOON + 2 * DAY };
      expect((await getAttention({ again: true }, later)).items).toContainEqual(
        expect.objectContaining({ check: "webhook_modes", state: "ok" }),
      );
      await db.delete(t.webhookEndpoints);
    });

    test("an endpoint that is silent for three times its usual gap", async () => {
      const { db } = it.deps;
      const { tables: t } = db;
      const endpoint = {
        slug: "stripe",
        provider: "stripe",
        environment: "production",
        settings: {},
        createdAt: NOON,
      } as const;
      await db.insert(t.webhookEndpoints).values({ ...endpoint, lastAcceptedAt: NOON - 4 * HOUR });
      const hours = Array.from({ length: 13 * 24 }, (_, n) =>
        row(hour - (n + 5) * HOUR, "production", "webhook_result", "stripe/accepted", 1),
      );
      await db.insert(t.statHour).values(hours);
      expect(await ofCheck("providers")).toMatchObject([
        { object: "stripe", since: NOON - 4 * HOUR, fix: { page: "endpoint", slug: "stripe" } },
      ]);
    });
  });

  describe("a client without a token, CO-16 CO-15", () => {
    test("learns of its first token, and before that of its refusal with what to do", async () => {
      const { clientId } = await seedApplication(it.deps, "New");
      const firstUse = () => it.as("viewer").clients.firstUse({ clientId });
      expect(await firstUse()).toEqual({ tokenAt: null, refusal: null });
      const refusal = {
        errorId: "0123456789",
        at: NOON - 30,
        endpoint: "/token",
        error: "invalid_client",
        cause: "secret_wrong",
      } as const;
      await it.deps.store.recordRefusal({ ...refusal, message: "", detail: {}, clientId, address: null });
      expect(await firstUse()).toMatchObject({
        tokenAt: null,
        refusal: { errorId: "0123456789", sentence: "No secret of the client matches." },
      });
      const { db } = it.deps;
      const { tables } = db;
      await db.insert(tables.clientUse).values({ clientId, lastTokenAt: NOON });
      expect(await firstUse()).toMatchObject({ tokenAt: NOON });
      it.clock.now = NOON + 700;
      expect(await firstUse()).toMatchObject({ refusal: null });
      it.clock.now = NOON;
      await expect(it.as("viewer").clients.firstUse({ clientId: "nobody" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    test("CO-15 an application of the team ticks the first step, without a client; one of the server or of a client that registered itself does not", async () => {
      const other = await openInstallation(engine);
      const done = async () =>
        (await other.as("viewer").overview.firstSteps()).filter((one) => one.done).map(({ step }) => step);
      try {
        const { db } = other.deps;
        const { tables: t } = db;
        const { clientId } = await seedApplication(other.deps, "Of the server");
        const nothing = { application: false, developmentClient: false, token: false, secondAdmin: false };
        expect(await readFirstSteps(other.deps.reads, [clientId])).toMatchObject(nothing);
        await db.update(t.clients).set({ origin: "dynamic" });
        expect(await done()).toEqual([]);
        await createApplication({ name: "Empty", description: "" }, ADMIN, other.deps);
        expect(await done()).toEqual(["application"]);
      } finally {
        await other.close();
      }
    });

    test("ticks the first steps from what there is", async () => {
      const done = (await it.as("viewer").overview.firstSteps()).filter((one) => one.done).map(({ step }) => step);
      expect(done).toEqual(
        expect.arrayContaining(["application", "development_client", "first_token", "production_client"]),
      );
      expect(done).not.toContain("mail");
    });
  });
});
