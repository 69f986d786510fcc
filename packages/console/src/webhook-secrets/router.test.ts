import { createSeal } from "@gatehouse/auth";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation } from "../testing/callers.ts";

const [OLD, NEW] = ["whsec_test_0123456789", "whsec_test_9876543210"];

describe.each(engines)("webhook secrets, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const admin = () => it.as("admin").webhookSecrets;
  const add = (secret: string, change: { name?: string; endsAt?: number } = {}) =>
    admin().add({ provider: "stripe", secret, ...change });
  const verifying = async () => {
    const store = createWebhookStore(it.deps.db, it.deps.seal, it.deps.now);
    return (await store.findEndpoint("stripe"))?.secrets.map(({ value }) => value);
  };

  test("a rotation: add the new one, end the old one at a given time, and then only the new one verifies", async () => {
    const old = await add(OLD);
    it.clock.now += 1;
    await add(NEW, { name: "2027" });
    expect(await admin().end({ id: old.id, endsAt: NOON + 3600 })).toMatchObject({
      id: old.id,
      state: "active",
      endsAt: NOON + 3600,
    });
    expect(await verifying()).toEqual([OLD, NEW]);
    it.clock.now = NOON + 3600;
    expect(await verifying()).toEqual([NEW]);
    expect(await it.as("viewer").webhookSecrets.list()).toEqual([
      {
        id: old.id,
        endpoint: "stripe",
        provider: "stripe",
        environment: "production",
        kind: "signing",
        name: null,
        hint: "6789",
        state: "ended",
        rotation: null,
        createdAt: NOON,
        endsAt: NOON + 3600,
        lastMatchedAt: null,
      },
      expect.objectContaining({ name: "2027", hint: "3210", state: "active", endsAt: null }),
    ]);
  });

  test("a secret that was ended verifies nothing, and cannot be ended again", async () => {
    const old = await add(OLD);
    await add(NEW);
    await admin().end({ id: old.id });
    expect(await verifying()).toEqual([NEW]);
    await expect(admin().end({ id: old.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(admin().end({ id: "unknown" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("ending the last active one requires confirmation", async () => {
    const { id } = await add(OLD);
    await expect(admin().end({ id })).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("last active secret"),
    });
    await admin().end({ id, confirmLast: true });
    expect(await verifying()).toEqual([]);
  });

  test.each([0, 3600])(
    "CO-58 of two admins who end the last two at once, in %i seconds, one is refused",
    async (seconds) => {
      const ids = [(await add(OLD)).id, (await add(NEW)).id];
      const ended = await Promise.allSettled(
        ids.map((id) => admin().end({ id, ...(seconds > 0 && { endsAt: NOON + seconds }) })),
      );
      expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const refused = { code: "CONFLICT", message: expect.stringContaining("last active secret") };
      expect(ended.find(({ status }) => status === "rejected")).toMatchObject({ reason: refused });
      it.clock.now += seconds;
      expect(await verifying()).toHaveLength(1);
    },
  );

  test("CO-58 a secret with an end is none that stays", async () => {
    await add(OLD, { endsAt: NOON + 3600 });
    const { id } = await add(NEW);
    await expect(admin().end({ id })).rejects.toMatchObject({ code: "CONFLICT" });
    await admin().end({ id, confirmLast: true });
    expect(await verifying()).toEqual([OLD]);
  });

  test("an ended secret that is added again is valid again, under its id; an active one is rejected", async () => {
    const { id } = await add(OLD);
    await expect(add(` ${OLD}\n`)).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining(id) });
    await admin().end({ id, confirmLast: true });
    it.clock.now += 10;
    expect(await add(OLD)).toMatchObject({ id, state: "active", endsAt: null });
    expect(await verifying()).toEqual([OLD]);
  });

  test("a secret encrypted with another GATEHOUSE_SECRET is listed as unreadable, and replaced when it is added again", async () => {
    const { id } = await add(OLD);
    it.deps.seal = createSeal("another secret, also 32 bytes or more", it.deps.random);
    expect(await admin().list({ provider: "stripe" })).toMatchObject([{ id, state: "unreadable" }]);
    expect(await verifying()).toEqual([]);
    expect(await add(OLD)).toMatchObject({ id, state: "active" });
    expect(await verifying()).toEqual([OLD]);
  });

  test.each([
    ["github", "It's a Secret to Everybody"],
    ["standard-webhooks", "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  ])("the secret of %s is accepted as the vendor's pages show it: %s", async (provider, secret) => {
    expect(await admin().add({ provider, secret })).toMatchObject({ warnings: [] });
  });

  test.each<[string, { provider?: string; kind?: "api_key"; secret?: string; endsAt?: number }, string, RegExp]>([
    ["an empty secret", { secret: "" }, "secret", /is empty/],
    ["white space", { secret: " \n" }, "secret", /is empty/],
    ["white space inside", { secret: "whsec_a b" }, "secret", /contains white space/],
    [
      "a line of an environment file",
      { secret: `STRIPE_WEBHOOK_SECRET=${OLD}` },
      "secret",
      /line of an environment file/,
    ],
    ["a masked secret", { secret: "whsec_…" }, "secret", /masked or cut short/],
    [
      "a signature",
      { provider: "svix", secret: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" },
      "secret",
      /signature of one delivery/,
    ],
    [
      "what the provider cannot have issued",
      { provider: "svix", secret: "whsec_not base64!".replace(" ", "") },
      "secret",
      /is not a signing secret of Svix/,
    ],
    ["an unknown provider", { provider: "carrier-pigeon" }, "provider", /is not a known provider/],
    ["an end in the past", { endsAt: NOON }, "endsAt", /in the past/],
    [
      "an API key with its header's word",
      { kind: "api_key", secret: "Bearer sk_test_1" },
      "secret",
      /starts with the word Bearer/,
    ],
  ])("%s is refused, and the error names the field", async (_, change, path, words) => {
    const error: unknown = await admin()
      .add({ provider: "stripe", secret: OLD, ...change })
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: "BAD_REQUEST",
      cause: { problems: [{ path, message: expect.stringMatching(words) }] },
    });
    expect(await verifying()).toBeUndefined();
  });

  test("at most ten are active at once", async () => {
    for (let count = 0; count < 10; count += 1) await add(`whsec_number_${count}`);
    await expect(add("whsec_number_10")).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
