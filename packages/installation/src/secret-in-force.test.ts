import { createSeal, ensureKeys, maintainKeys } from "@gatehouse/auth";
import { createAuthStore } from "@gatehouse/db";
import { engines } from "@gatehouse/db/testing";
import { addWebhookSecret } from "@gatehouse/operations";
import { type Installation, openInstallation } from "@gatehouse/operations/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AnotherSecretError, acceptSecret, assertSecretInForce, findUnreadable, isSecretInForce } from "./secret-in-force.ts";

const [A, B] = ["the first secret, 32 bytes or more", "the second secret, 32 bytes or more"];

describe.each(engines)("OP-14 the secret that the database is sealed with, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  /** A process that was started with this secret. */
  const startedWith = (secret: string) => ({
    ...it.deps,
    store: createAuthStore(it.deps.handle),
    seal: createSeal(secret, it.deps.random),
  });

  /** What an installation has after a while. */
  async function inUse(secret: string) {
    const deps = startedWith(secret);
    await ensureKeys(["ES256"], deps);
    await addWebhookSecret({ provider: "stripe", secret: "whsec_test_0123456789", name: "live" }, deps);
  }

  test("a fresh database is sealed with the first secret; of five that start at once with two, only one secret goes on", async () => {
    const starts = [A, B, A, B, A].map((secret) => assertSecretInForce(startedWith(secret)).then(() => secret));
    const went = (await Promise.allSettled(starts)).flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    expect(new Set(went).size).toBe(1);
    const [winner = A] = went;
    await assertSecretInForce(startedWith(winner));
    await expect(assertSecretInForce(startedWith(winner === A ? B : A))).rejects.toThrow(AnotherSecretError);
  });

  test("another secret is refused in one message that names what it cannot open, the way back and the way on", async () => {
    await assertSecretInForce(startedWith(A));
    await inUse(A);
    const refusal: unknown = await assertSecretInForce(startedWith(B)).catch((cause: unknown) => cause);
    expect(refusal).toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(
        /another GATEHOUSE_SECRET; 1 signing key \(ES256\) and 1 webhook secret \(stripe live\).*earlier value.*secret accept-new/,
      ),
    });
    await assertSecretInForce(startedWith(A));
  });

  test("accepting the new secret names what is lost, and going back accepts the old one the same way, with all that it had sealed", async () => {
    await assertSecretInForce(startedWith(A));
    await inUse(A);
    const unreadable = { signingKeys: [{ algorithm: "ES256" }], webhookSecrets: [{ provider: "stripe", name: "live", hint: "6789" }] };
    expect(await acceptSecret(startedWith(B))).toMatchObject({ accepted: true, unreadable });
    expect(await acceptSecret(startedWith(B))).toMatchObject({ accepted: false });
    await assertSecretInForce(startedWith(B));
    await expect(assertSecretInForce(startedWith(A))).rejects.toThrow(AnotherSecretError);

    await maintainKeys(startedWith(B));
    expect(await findUnreadable(startedWith(B))).toMatchObject({ signingKeys: [], webhookSecrets: [{ hint: "6789" }] });
    expect(await acceptSecret(startedWith(A))).toMatchObject({ accepted: true });
    await assertSecretInForce(startedWith(A));
    expect(await findUnreadable(startedWith(A))).toMatchObject({ webhookSecrets: [] });
  });

  test("a database from before the canary belongs to the secret that opens something in it", async () => {
    await inUse(A);
    await expect(assertSecretInForce(startedWith(B))).rejects.toThrow(AnotherSecretError);
    expect(await isSecretInForce(startedWith(A))).toBe(false);
    await assertSecretInForce(startedWith(A));
    expect(await isSecretInForce(startedWith(A))).toBe(true);
  });

  test("a database from before the canary, of which nothing opens, is accepted by the command", async () => {
    await inUse(A);
    expect(await acceptSecret(startedWith(B))).toMatchObject({ accepted: true });
    await assertSecretInForce(startedWith(B));
  });
});
