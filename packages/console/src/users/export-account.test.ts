import { sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { engines } from "@gatehouse/db/testing/engines";
import { SHOWN } from "@gatehouse/db/testing/people";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation, seedApplication } from "../testing/installation.ts";
import { exportAccount } from "./export-account.ts";
import { createUser } from "./users.ts";

const REQUEST = { caller: { address: "192.0.2.7" }, userAgent: "Firefox", locale: "en" };

describe.each(engines)("the export of an account, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  test("RG-10 has profile, factors by name, sessions, apps, identities and own events, and no secret or hash", async () => {
    const { deps } = it;
    const { db } = deps;
    const { tables: t } = db;
    const { id: userId } = await createUser(
      { email: "ada@example.com", name: "Ada", password: "a password of Ada's", role: "user" },
      deps,
    );
    const now = it.clock.now;
    const key = { userId, algorithm: -7, counter: 0, transports: [], aaguid: "", rpId: "gate.example", createdAt: now };
    const flags = { backupEligible: false, backedUp: false, userVerified: true };
    const secrets = ["secret-credential", "sealed-totp", "secret-public-key"];
    await db.insert(t.passkeys).values({
      ...key,
      ...flags,
      credentialId: "secret-credential",
      publicKey: Buffer.from("secret-public-key"),
      name: "Phone",
    });
    await db.insert(t.totpSecrets).values({ userId, secret: "sealed-totp", lastStep: 1, createdAt: now });
    await db.insert(t.recoveryCodes).values({ hash: sha256("code"), userId, createdAt: now });
    await db.insert(t.identities).values({
      id: "i",
      userId,
      provider: "google",
      issuer: "https://idp.example",
      subject: "ada-at-idp",
      createdAt: now,
    });
    const session = {
      hash: sha256("session"),
      id: "s",
      userId,
      authTime: now,
      userAgent: "Firefox",
      address: null,
      accessEpoch: 0,
    };
    await deps.store.saveSession({
      ...session,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + 600,
      absoluteExpiresAt: now + 600,
      ...PASSWORD_SIGN_IN,
    });
    const { clientId } = await seedApplication(deps);
    await deps.store.saveConsent({ userId, clientId, scope: "api:read", ...SHOWN, now });
    await db.insert(t.accountEvents).values({ id: "other", userId: "viewer", at: now, kind: "signed_in", detail: {} });

    const found = await deps.store.findSession(sha256("session"));
    if (!found) throw new Error("no session");
    const json = JSON.stringify(await exportAccount(found, REQUEST, deps));
    expect(JSON.parse(json)).toMatchObject({
      profile: { id: userId, email: "ada@example.com", name: "Ada", role: "user" },
      signInMethods: {
        passkeys: [{ name: "Phone" }],
        authenticatorApp: { createdAt: now },
        recoveryCodesLeft: 1,
        identities: [{ provider: "google", subject: "ada-at-idp" }],
      },
      sessions: [{ id: "s", userAgent: "Firefox" }],
      apps: [{ applicationName: "Shop", scopes: ["api:read"] }],
      events: [{ kind: "data_exported", address: "192.0.2.7" }],
    });
    const hashes = [sha256("session"), sha256("code"), "argon2"];
    for (const secret of [...secrets, ...secrets.map((text) => Buffer.from(text).toString("base64")), ...hashes])
      expect(json).not.toContain(secret);
  });
});
