import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation } from "../../testing/callers.ts";

const slug = "shop";
const URL_OF_PRODUCT = "https://app.example/hooks";
const DAY = 86_400;

describe.each(engines)("forwarding of an endpoint, PK-56, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
    await it.as("admin").webhookEndpoints.create({ slug, provider: "stripe", environment: "staging" });
  });
  afterEach(() => it.close());

  const endpoints = (who: "admin" | "developer" = "developer") => it.as(who).webhookEndpoints;
  const forwardTo = (url: string, more: object = {}) => endpoints().setForwarding({ slug, forward: { url, ...more } });
  /** What the receiver and the sender of events see. */
  const live = () => createWebhookStore(it.deps.db, it.deps.seal, it.deps.now).findEndpoint(slug);
  const secretsInUse = async () => (await live())?.forward?.secrets.map(({ value }) => value);

  test("the secret is made here, shown once, and stored sealed", async () => {
    const { secret, endpoint } = await forwardTo(URL_OF_PRODUCT);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint.forward).toEqual({
      url: URL_OF_PRODUCT,
      events: null,
      secrets: [{ id: expect.any(String), hint: secret?.slice(-4), createdAt: NOON, endsAt: null, readable: true }],
    });
    expect(await secretsInUse()).toEqual([secret]);
    const bare = String(secret).slice(6);
    const tables = it.database.db.tables;
    const stored = [
      await it.database.db.select().from(tables.webhookSecrets),
      await it.database.db.select().from(tables.webhookEndpoints),
      await it.database.db.select().from(tables.audit),
      await endpoints().get({ slug }),
      await it.as("developer").webhookSecrets.list({ endpoint: slug }),
    ];
    expect(JSON.stringify(stored)).not.toContain(bare);
  });

  test("a change of the events keeps the secret, another URL ends it, and stopping ends all", async () => {
    const { secret: first } = await forwardTo(URL_OF_PRODUCT);
    expect(await forwardTo(URL_OF_PRODUCT, { events: ["invoice.*"] })).toMatchObject({ secret: null });
    expect(await live()).toMatchObject({ forward: { events: ["invoice.*"], secrets: [{ value: first }] } });
    const { secret: second } = await forwardTo("https://elsewhere.example/hooks");
    expect(second).not.toBe(first);
    expect(await secretsInUse()).toEqual([second]);
    await endpoints().setForwarding({ slug, forward: null });
    expect((await live())?.forward).toBeUndefined();
    const { secret: third } = await forwardTo("https://elsewhere.example/hooks");
    expect(await secretsInUse()).toEqual([third]);
  });

  test("a rotation signs with both until the old secret ends, and with two at most", async () => {
    const { secret: first } = await forwardTo(URL_OF_PRODUCT);
    const { secret: second, oldEndsAt } = await endpoints().rotateForwardingSecret({ slug });
    expect(oldEndsAt).toBe(NOON + DAY);
    expect((await secretsInUse())?.toSorted()).toEqual([first, second].toSorted());
    const { secret: third } = await endpoints().rotateForwardingSecret({ slug, overlapSeconds: 3600 });
    expect((await secretsInUse())?.toSorted()).toEqual([second, third].toSorted());
    it.clock.now += 3600;
    expect(await secretsInUse()).toEqual([third]);
    const { secret: fourth } = await endpoints().rotateForwardingSecret({ slug, overlapSeconds: 0 });
    expect(await secretsInUse()).toEqual([fourth]);
  });

  test("the secret in use cannot be ended, an old one can, and nobody can enter one", async () => {
    await forwardTo(URL_OF_PRODUCT);
    const { webhookSecrets } = it.as("developer");
    const idOf = async (endsAt: number | null) =>
      (await webhookSecrets.list({ endpoint: slug })).find((one) => one.endsAt === endsAt)?.id ?? "";
    const inUse = webhookSecrets.end({ id: await idOf(null), confirmLast: true });
    await expect(inUse).rejects.toMatchObject({ code: "CONFLICT" });
    await endpoints().rotateForwardingSecret({ slug });
    await webhookSecrets.end({ id: await idOf(NOON + DAY) });
    expect(await secretsInUse()).toHaveLength(1);
    const entered = webhookSecrets.add({ endpoint: slug, kind: "forwarding" as never, secret: "whsec_mine" });
    await expect(entered).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("a move into production stops forwarding: developers chose the URL", async () => {
    await forwardTo(URL_OF_PRODUCT);
    const { version } = await endpoints().get({ slug });
    const { forward } = await endpoints("admin").update({ slug, environment: "production", version });
    expect(forward).toBeNull();
    expect((await live())?.forward).toBeUndefined();
    const secrets = await it.as("admin").webhookSecrets.list({ endpoint: slug });
    expect(secrets.map(({ state }) => state)).toEqual(["ended"]);
  });

  test("a move between development and staging keeps it, unless it goes to this machine", async () => {
    const { secret } = await forwardTo(URL_OF_PRODUCT);
    const { version } = await endpoints().get({ slug });
    await endpoints().update({ slug, environment: "development", version });
    expect(await secretsInUse()).toEqual([secret]);
    it.deps.config = { ...it.deps.config, issuer: "http://localhost:3000" };
    const local = await forwardTo("http://localhost:4000/hooks");
    const back = endpoints().update({ slug, environment: "staging", version: local.endpoint.version });
    await expect(back).rejects.toMatchObject({ cause: { problems: [{ path: "environment" }] } });
  });

  test("an edit of what somebody else changed meanwhile is a conflict, and so is a rotation without forwarding", async () => {
    const { version } = await endpoints().get({ slug });
    await forwardTo(URL_OF_PRODUCT);
    const stale = endpoints().setForwarding({ slug, version, forward: { url: "https://other.example/" } });
    await expect(stale).rejects.toMatchObject({ code: "CONFLICT" });
    await endpoints().setForwarding({ slug, forward: null });
    await expect(endpoints().rotateForwardingSecret({ slug })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("the default endpoint of a provider can forward before it is stored", async () => {
    const change = endpoints("admin").setForwarding({ slug: "github", forward: { url: URL_OF_PRODUCT } });
    expect(await change).toMatchObject({ endpoint: { configured: true, forward: { url: URL_OF_PRODUCT } } });
  });
});
