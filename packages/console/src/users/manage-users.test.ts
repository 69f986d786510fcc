import { TooManyMails } from "@gatehouse/accounts";
import { findAccount } from "@gatehouse/db/stores/accounts/accounts";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Author } from "../permissions.ts";
import { type Installation, NOON, openInstallation } from "../testing/installation.ts";
import {
  disconnectUserApps,
  endUserSession,
  endUserSessions,
  requireNewPassword,
  resetUserSecondFactors,
  sendResetLink,
  setUserDisabled,
  updateUser,
} from "./manage-users.ts";
import { getUserSecurity, listUserHistory } from "./users.ts";

const GRACE: Author = {
  id: "admin",
  name: "Grace",
  role: "admin",
  via: "console",
  freshSince: NOON,
  address: "192.0.2.9",
};

describe.each(engines)("what admins do to users, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const user = () => findAccount(it.deps.db, "user");
  const events = async () => {
    const { db } = it.deps;
    const { tables } = db;
    return (await db.select().from(tables.accountEvents)).map(({ kind, userId }) => `${userId} ${kind}`);
  };
  const mails = async () => {
    const { db } = it.deps;
    const { tables } = db;
    return (await db.select().from(tables.mails)).map(({ kind, recipient }) => `${kind} ${recipient}`);
  };

  async function enrol() {
    const { db } = it.deps;
    const { tables: t } = db;
    await db.insert(t.totpSecrets).values({ userId: "user", secret: "sealed", lastStep: 1, createdAt: NOON });
    await db.insert(t.recoveryCodes).values({ hash: "hash" as never, userId: "user", createdAt: NOON });
    const passkey = {
      userId: "user",
      publicKey: Buffer.from("k"),
      algorithm: -7,
      counter: 0,
      transports: [],
      aaguid: "",
      backupEligible: false,
      backedUp: false,
      rpId: "gate.example",
      createdAt: NOON,
    };
    await db.insert(t.passkeys).values([
      { ...passkey, credentialId: "key", name: "Security key", userVerified: false },
      { ...passkey, credentialId: "phone", name: "Phone", userVerified: true },
    ]);
  }

  const acts: [string, () => Promise<unknown>, { action: string; event: string; mail?: string }][] = [
    [
      "a role",
      () => updateUser({ id: "user", role: "developer", reason: "joined the team" }, GRACE, it.deps),
      { action: "user.role", event: "role_changed", mail: "role_changed" },
    ],
    [
      "disabling",
      () => setUserDisabled({ id: "user", disabled: true, reason: "left the team" }, GRACE, it.deps),
      { action: "user.disable", event: "account_disabled", mail: "account_disabled" },
    ],
    [
      "ending sessions",
      () => endUserSessions({ id: "user", apps: true, reason: "lost laptop" }, GRACE, it.deps),
      { action: "user.end_sessions", event: "sessions_ended" },
    ],
    [
      "disconnecting apps",
      () => disconnectUserApps({ id: "user", reason: "asked for it" }, GRACE, it.deps),
      { action: "user.disconnect_apps", event: "app_disconnected" },
    ],
    [
      "requiring a password",
      () => requireNewPassword({ id: "user", reason: "seen in a leak" }, GRACE, it.deps),
      { action: "user.require_password", event: "password_required", mail: "password_required" },
    ],
    [
      "UM-05 resetting second factors",
      () => resetUserSecondFactors({ id: "user", reason: "lost phone" }, GRACE, it.deps),
      { action: "user.reset_second_factors", event: "second_factors_reset", mail: "second_factors_reset" },
    ],
  ];

  test.each(acts)(
    "UM-04 %s leaves actor, reason and time in the history, an event and a mail where one is due",
    async (_, act, expected) => {
      await act();
      const { items } = await listUserHistory({ id: "user" }, it.deps);
      expect(items).toMatchObject([
        { action: expected.action, actorId: "admin", actorName: "Grace", via: "console", at: NOON },
      ]);
      expect(items[0]?.detail["reason"]).toMatch(/\w+/);
      expect(await events()).toEqual([`user ${expected.event}`]);
      expect(await mails()).toEqual(
        expected.mail && it.deps.mail.available ? [`${expected.mail} user@example.com`] : [],
      );
    },
  );

  test("CO-64 the history has what a change was before and after, and of a password only that it changed", async () => {
    const before = await user();
    await updateUser(
      { id: "user", name: "Ursula", role: "viewer", password: "a passphrase for this test" },
      GRACE,
      it.deps,
    );
    const { items } = await listUserHistory({ id: "user" }, it.deps);
    const changes = {
      name: { before: before?.name, after: "Ursula" },
      role: { before: "user", after: "viewer" },
      password: { before: null, after: "changed" },
    };
    expect(items).toMatchObject([{ action: "user.role", detail: { changes } }]);
    expect(JSON.stringify(items)).not.toMatch(/a passphrase|scrypt|argon/);
  });

  test("an act that is refused leaves nothing", async () => {
    await expect(setUserDisabled({ id: "admin", disabled: true }, GRACE, it.deps)).rejects.toMatchObject({
      kind: "conflict",
    });
    const other = { ...GRACE, id: "other" };
    await expect(updateUser({ id: "admin", role: "user" }, other, it.deps)).rejects.toMatchObject({ kind: "conflict" });
    await expect(disconnectUserApps({ id: "nobody" }, GRACE, it.deps)).rejects.toMatchObject({ kind: "not_found" });
    await expect(endUserSession({ id: "user", sessionId: "nothing" }, GRACE, it.deps)).rejects.toMatchObject({
      kind: "not_found",
    });
    await expect(resetUserSecondFactors({ id: "nobody", reason: "lost phone" }, GRACE, it.deps)).rejects.toMatchObject({
      kind: "not_found",
    });
    expect([await events(), await mails()]).toEqual([[], []]);
    for (const id of ["admin", "nobody", "user"]) expect((await listUserHistory({ id }, it.deps)).items).toEqual([]);
  });

  test("UM-05 MF-07 the reset removes what a second step and a fresh sign-in accept, and ends everything", async () => {
    await enrol();
    expect(await getUserSecurity("user", it.deps)).toMatchObject({
      hasPassword: true,
      totp: { createdAt: NOON },
      recoveryCodes: 1,
      passkeys: [{ name: "Security key" }, { name: "Phone" }],
    });
    await resetUserSecondFactors({ id: "user", reason: "lost phone" }, GRACE, it.deps);
    expect(await getUserSecurity("user", it.deps)).toMatchObject({ totp: null, recoveryCodes: 0, passkeys: [] });
    expect(await user()).toMatchObject({ accessEpoch: 1, signInEpoch: 1 });
  });

  test("UM-05 WA-12 an account without a password keeps the passkeys that it signs in with", async () => {
    await enrol();
    const { db } = it.deps;
    const { tables } = db;
    await db.update(tables.users).set({ passwordHash: null });
    await resetUserSecondFactors({ id: "user", reason: "lost phone" }, GRACE, it.deps);
    expect(await getUserSecurity("user", it.deps)).toMatchObject({
      totp: null,
      recoveryCodes: 0,
      passkeys: [{ name: "Phone" }],
    });
  });

  test("UM-03 a required password is asked for with the next sign-in; nobody without a password is asked", async () => {
    await requireNewPassword({ id: "user" }, GRACE, it.deps);
    expect(await user()).toMatchObject({ mustChangePassword: true });
    const { db } = it.deps;
    const { tables } = db;
    await db.update(tables.users).set({ passwordHash: null });
    await expect(requireNewPassword({ id: "viewer" }, GRACE, it.deps)).rejects.toMatchObject({ kind: "conflict" });
  });

  test("UM-03 AB-07 an admin's reset link goes out whatever strangers asked for before, in the transaction of its audit row", async () => {
    const strangers: Installation["deps"]["mail"] = {
      ...it.deps.mail,
      composeRequested: () => Promise.reject(new TooManyMails(3600)),
    };
    await sendResetLink({ id: "user", reason: "forgot it" }, GRACE, { ...it.deps, mail: strangers });
    expect(await mails()).toEqual(["reset_link user@example.com"]);
    const { db } = it.deps;
    const { tables } = db;
    expect((await db.select().from(tables.audit)).map(({ action, object }) => [action, object])).toEqual([
      ["user.send_reset_link", "user"],
    ]);
  });

  test("the history has pages, newest first", async () => {
    for (let n = 0; n < 35; n++) {
      it.clock.now += 1;
      await updateUser({ id: "user", name: `Name ${n}` }, GRACE, it.deps);
    }
    const first = await listUserHistory({ id: "user" }, it.deps);
    const second = await listUserHistory({ id: "user", cursor: first.nextCursor }, it.deps);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([30, 5, null]);
    expect(first.items[0]?.at).toBe(NOON + 35);
  });
});
