import { createSeal, ensureKeys, maintainKeys } from "@gatehouse/auth";
import { listSealedRows } from "@gatehouse/console/audit/chain-queries";
import { sealAuditLog } from "@gatehouse/console/audit/sealer";
import { verifyAuditLog } from "@gatehouse/console/audit/verify";
import { ADMIN, type Installation, openInstallation } from "@gatehouse/console/testing/installation";
import { addWebhookSecret } from "@gatehouse/console/webhook-secrets/webhook-secrets";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  AnotherSecretError,
  acceptSecret,
  assertSecretInForce,
  findUnreadable,
  isSecretInForce,
} from "./secret-in-force.ts";

const [A, B] = ["the first secret, 32 bytes or more", "the second secret, 32 bytes or more"];

describe.each(engines)("OP-14 the secret that the database is encrypted with, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  /** A process that started with this secret. */
  const startedWith = (secret: string) => ({
    ...it.deps,
    store: createAuthStore(it.deps.db),
    seal: createSeal(secret, it.deps.random),
  });

  /** A signing key and a webhook secret, as an installation in use has them. */
  async function inUse(secret: string) {
    const deps = startedWith(secret);
    await ensureKeys(["ES256"], deps);
    await addWebhookSecret({ provider: "stripe", secret: "whsec_test_0123456789", name: "live" }, ADMIN, deps);
  }

  test("an empty database takes the first secret; of five processes that start at once with two secrets, only those with one secret continue", async () => {
    const starts = [A, B, A, B, A].map((secret) => assertSecretInForce(startedWith(secret)).then(() => secret));
    const went = (await Promise.allSettled(starts)).flatMap((start) =>
      start.status === "fulfilled" ? [start.value] : [],
    );
    expect(new Set(went).size).toBe(1);
    const [winner = A] = went;
    await assertSecretInForce(startedWith(winner));
    await expect(assertSecretInForce(startedWith(winner === A ? B : A))).rejects.toThrow(AnotherSecretError);
  });

  test("another secret is rejected; the message names what it cannot decrypt, and how to go back or continue", async () => {
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

  test("accepting a new secret lists what is lost; going back to the old one works the same way and restores it", async () => {
    await assertSecretInForce(startedWith(A));
    await inUse(A);
    const unreadable = {
      signingKeys: [{ algorithm: "ES256" }],
      webhookSecrets: [{ provider: "stripe", name: "live", hint: "6789" }],
    };
    expect(await acceptSecret({}, ADMIN, startedWith(B))).toMatchObject({ accepted: true, unreadable });
    expect(await acceptSecret({}, ADMIN, startedWith(B))).toMatchObject({ accepted: false });
    await assertSecretInForce(startedWith(B));
    await expect(assertSecretInForce(startedWith(A))).rejects.toThrow(AnotherSecretError);

    await maintainKeys(startedWith(B));
    expect(await findUnreadable(startedWith(B))).toMatchObject({ signingKeys: [], webhookSecrets: [{ hint: "6789" }] });
    expect(await acceptSecret({}, ADMIN, startedWith(A))).toMatchObject({ accepted: true });
    await assertSecretInForce(startedWith(A));
    expect(await findUnreadable(startedWith(A))).toMatchObject({ webhookSecrets: [] });
  });

  test("CO-64 CO-65 accepting a new secret leaves a row of the operator, with which the audit log continues, and verifies", async () => {
    await assertSecretInForce(startedWith(A));
    await inUse(A);
    await sealAuditLog(startedWith(A));
    await acceptSecret({}, ADMIN, startedWith(B));
    await sealAuditLog(startedWith(B));
    expect(await verifyAuditLog({}, startedWith(B))).toMatchObject({
      state: "intact",
      through: 2,
      findings: { segments: [2] },
    });
    expect(await listSealedRows(it.deps.db, 2, 1)).toMatchObject([
      { action: "audit.new_secret", actorName: "admin", via: "cli" },
    ]);
  });

  test("CO-65 an audit log that ends under another secret than the database continues only if the operator says so", async () => {
    await assertSecretInForce(startedWith(A));
    await inUse(A);
    await sealAuditLog(startedWith(B));
    await expect(sealAuditLog(startedWith(A))).rejects.toThrow("accept-new");
    expect(await acceptSecret({}, ADMIN, startedWith(A))).toMatchObject({ accepted: false });
    expect(await acceptSecret({ continueAuditLog: true }, ADMIN, startedWith(A))).toMatchObject({ accepted: true });
    expect(await verifyAuditLog({}, startedWith(A))).toMatchObject({ state: "intact", through: 2 });
  });

  test("a database from before the canary belongs to the secret that decrypts something in it", async () => {
    await inUse(A);
    await expect(assertSecretInForce(startedWith(B))).rejects.toThrow(AnotherSecretError);
    expect(await isSecretInForce(startedWith(A))).toBe(false);
    await assertSecretInForce(startedWith(A));
    expect(await isSecretInForce(startedWith(A))).toBe(true);
  });

  test("a database from before the canary that a secret cannot decrypt at all is accepted by the command", async () => {
    await inUse(A);
    expect(await acceptSecret({}, ADMIN, startedWith(B))).toMatchObject({ accepted: true });
    await assertSecretInForce(startedWith(B));
  });
});
