import type { NewMailedToken } from "@gatehouse/accounts";
import { type Hash, sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { createAuthStore } from "../auth/store.ts";
import { createAccountStore } from "./store.ts";
import { hasAdmin } from "./users.ts";

const CLAIM = {
  id: "new",
  email: "ada@example.org",
  name: "Ada",
  role: "user",
  createdAt: NOW,
  registeredBy: "self",
  passwordHash: "$hers",
} as const;
const SPEND = { kind: "mailed_token", hash: sha256("link") } as const;
const none = () => ({});

describe.each(engines)("registration on $name", ({ open }) => {
  let database: TestDatabase;
  const people = () => createAccountStore(database.handle);
  beforeEach(async () => {
    database = await open();
    await seed(database.handle);
  });
  afterEach(() => database.close());

  const token = (name: string, purpose: NewMailedToken["purpose"], more: Partial<NewMailedToken> = {}): NewMailedToken => ({
    hash: sha256(name),
    purpose,
    userId: null,
    email: CLAIM.email,
    codeHash: null,
    browser: null,
    data: null,
    signInEpoch: null,
    createdAt: NOW,
    expiresAt: NOW + 600,
    ...more,
  });
  const set = (userId: string, change: object) =>
    database.handle.db.update(database.handle.tables.users).set(change).where(eq(database.handle.tables.users.id, userId));
  const session = (userId: string, name = userId) =>
    createAuthStore(database.handle).saveSession({
      hash: sha256(name) as Hash,
      id: name,
      userId,
      authTime: NOW,
      userAgent: null,
      address: null,
      accessEpoch: 0,
      createdAt: NOW,
      lastSeenAt: NOW,
      expiresAt: NOW + 600,
      absoluteExpiresAt: NOW + 600,
      ...PASSWORD_SIGN_IN,
    });
  const live = async (userId: string) => (await createAuthStore(database.handle).listSessions(userId, NOW)).map(({ id }) => id);

  describe("an address that is claimed with a proof", () => {
    test("RG-03 N47 of ten parallel uses of one link, one makes the account", async () => {
      await people().saveMailedToken(token("link", "sign_up"));
      const claims = Array.from({ length: 10 }, (_, n) => people().claimAddress({ ...CLAIM, id: `new${n}` }, SPEND, none, NOW));
      const made = (await Promise.all(claims)).filter((outcome) => typeof outcome !== "string");
      expect(made).toHaveLength(1);
      expect(await people().findAccountByEmail(CLAIM.email)).toMatchObject({ emailVerifiedAt: NOW, passwordHash: "$hers", role: "user" });
      expect(await people().claimAddress({ ...CLAIM, email: "other@example.org" }, SPEND, none, NOW)).toBe("spent");
    });

    test("N47 after its expiry, or when a newer one was mailed, the link does nothing", async () => {
      await people().saveMailedToken(token("link", "sign_up"));
      expect(await people().claimAddress(CLAIM, SPEND, none, NOW + 600)).toBe("spent");
      await people().saveMailedToken(token("newer", "sign_up"));
      expect(await people().claimAddress(CLAIM, SPEND, none, NOW)).toBe("spent");
      expect(await people().findAccountByEmail(CLAIM.email)).toBeUndefined();
    });

    test("RG-05 an account that nobody vouches for is emptied and taken over", async () => {
      await set("ada", { registeredBy: "self" });
      await session("ada");
      await people().saveMailedToken(token("link", "sign_up", { email: "ada@example.com" }));
      const claimed = await people().claimAddress({ ...CLAIM, email: "ada@example.com", name: "Owner" }, SPEND, none, NOW);
      expect(claimed).toEqual({ userId: "ada" });
      expect(await people().findAccountByEmail("ada@example.com")).toMatchObject({
        id: "ada",
        name: "Owner",
        passwordHash: "$hers",
        emailVerifiedAt: NOW,
      });
      expect(await live("ada")).toEqual([]);
    });

    test.each([
      ["an operator made", { registeredBy: "operator" }],
      ["its user has proved", { registeredBy: "self", emailVerifiedAt: NOW - 1 }],
    ])("RG-05 an account that %s keeps everything, and the proof is not spent", async (_, trusted) => {
      await set("ada", trusted);
      await session("ada");
      const before = await people().findAccountByEmail("ada@example.com");
      await people().saveMailedToken(token("link", "sign_up", { email: "ada@example.com" }));
      expect(await people().claimAddress({ ...CLAIM, email: "ada@example.com" }, SPEND, none, NOW)).toBe("taken");
      expect(await people().findAccountByEmail("ada@example.com")).toEqual(before);
      expect(await live("ada")).toEqual(["ada"]);
      expect((await people().findMailedToken(SPEND.hash))?.spentAt).toBeNull();
    });

    test("RG-08 N78 of ten parallel uses of one invitation, one makes the account, with the role of the row", async () => {
      const hash = sha256("invitation");
      const invitation = {
        id: "i",
        email: CLAIM.email,
        role: "viewer",
        hash,
        invitedBy: "bob",
        createdAt: NOW,
        expiresAt: NOW + 60,
      } as const;
      await people().saveInvitation(invitation, {});
      const claims = Array.from({ length: 10 }, (_, n) =>
        people().claimAddress({ ...CLAIM, role: "viewer", id: `new${n}` }, { kind: "invitation", hash }, none, NOW),
      );
      expect((await Promise.all(claims)).filter((outcome) => typeof outcome !== "string")).toHaveLength(1);
      expect(await people().findAccountByEmail(CLAIM.email)).toMatchObject({ role: "viewer", emailVerifiedAt: NOW });
      expect(await people().findInvitation("i")).toMatchObject({ acceptedAt: NOW });
    });

    describe("RG-08 an invitation that is accepted with a passkey", () => {
      const INVITATION = { kind: "invitation", hash: sha256("invitation") } as const;
      const passkey = {
        credentialId: "made",
        publicKey: Buffer.from("key"),
        algorithm: -7,
        counter: 0,
        transports: ["internal"],
        aaguid: "",
        name: "Key",
        backupEligible: false,
        backedUp: false,
        userVerified: true,
        rpId: "id.example",
        createdAt: NOW,
        lastUsedAt: null,
      };
      const claim = { ...CLAIM, role: "viewer", passwordHash: null, passkey: { passkey, webauthnUserId: "handle" } } as const;
      beforeEach(async () => {
        const row = { id: "i", role: "viewer", hash: INVITATION.hash, invitedBy: "bob", createdAt: NOW, expiresAt: NOW + 60 } as const;
        for (const email of [CLAIM.email, "ada@example.com"]) {
          const hash = email === CLAIM.email ? row.hash : sha256("of ada");
          await people().saveInvitation({ ...row, id: email, email, hash }, {});
        }
      });

      test("makes the account, its WebAuthn id and the passkey at once", async () => {
        expect(await people().claimAddress(claim, INVITATION, none, NOW)).toEqual({ userId: "new" });
        expect(await people().findAccountByEmail(CLAIM.email)).toMatchObject({
          webauthnUserId: "handle",
          passwordHash: null,
          role: "viewer",
        });
        expect(await people().listPasskeys("new")).toMatchObject([{ credentialId: "made", userId: "new", rpId: "id.example" }]);
      });

      test("replaces the passkeys of an account that nobody vouched for", async () => {
        await set("ada", { registeredBy: "self", webauthnUserId: "of a stranger" });
        const foreign = { ...passkey, credentialId: "of a stranger", userId: "ada" };
        expect(await people().addPasskey(foreign, { webauthnUserId: "of a stranger", signInEpoch: 0 }, {}, NOW)).toBe("added");
        const spend = { kind: "invitation", hash: sha256("of ada") } as const;
        expect(await people().claimAddress({ ...claim, email: "ada@example.com" }, spend, none, NOW)).toEqual({ userId: "ada" });
        expect((await people().listPasskeys("ada")).map(({ credentialId }) => credentialId)).toEqual(["made"]);
        expect(await people().findAccount("ada")).toMatchObject({ webauthnUserId: "handle", role: "viewer" });
      });

      test("makes nothing if the passkey cannot be stored, and the invitation counts on", async () => {
        await set("bob", { webauthnUserId: "of bob" });
        const taken = { ...passkey, userId: "bob" };
        expect(await people().addPasskey(taken, { webauthnUserId: "of bob", signInEpoch: 0 }, {}, NOW)).toBe("added");
        expect(await people().claimAddress(claim, INVITATION, none, NOW)).toBe("taken");
        expect(await people().findAccountByEmail(CLAIM.email)).toBeUndefined();
        expect(await people().findInvitation(CLAIM.email)).toMatchObject({ acceptedAt: null });
      });

      describe("with the address of an account that nobody vouched for", () => {
        const takeOver = { ...claim, email: "ada@example.com" };
        const ofAda = { kind: "invitation", hash: sha256("of ada") } as const;
        beforeEach(() => set("ada", { registeredBy: "self", webauthnUserId: "of a stranger" }));

        test("changes nothing if the passkey belongs to another account, and the invitation counts on", async () => {
          await set("bob", { webauthnUserId: "of bob" });
          const taken = { ...passkey, userId: "bob" };
          expect(await people().addPasskey(taken, { webauthnUserId: "of bob", signInEpoch: 0 }, {}, NOW)).toBe("added");
          await session("ada");
          const before = await people().findAccount("ada");
          expect(await people().claimAddress(takeOver, ofAda, none, NOW)).toBe("taken");
          expect([await people().findAccount("ada"), await live("ada")]).toEqual([before, ["ada"]]);
          expect(await people().findInvitation("ada@example.com")).toMatchObject({ acceptedAt: null });
        });

        test("of two browsers that store one passkey at once, one gets an account", async () => {
          const outcomes = await Promise.all([
            people().claimAddress(takeOver, ofAda, none, NOW),
            people().claimAddress(claim, INVITATION, none, NOW),
          ]);
          const claimed = outcomes.flatMap((outcome) => (typeof outcome === "string" ? [] : [outcome.userId]));
          expect([claimed.length, outcomes]).toEqual([1, expect.arrayContaining(["taken"])]);
          expect((await people().findPasskey("made"))?.passkey.userId).toBe(claimed[0]);
          const invitations = await Promise.all([CLAIM.email, "ada@example.com"].map((id) => people().findInvitation(id)));
          expect(invitations.filter((one) => one?.acceptedAt === NOW)).toHaveLength(1);
        });
      });
    });

    test("RG-08 inviting again withdraws the earlier invitation", async () => {
      const invitation = {
        id: "i",
        email: CLAIM.email,
        role: "viewer",
        hash: sha256("1"),
        invitedBy: "bob",
        createdAt: NOW,
        expiresAt: NOW + 60,
      } as const;
      await people().saveInvitation(invitation, {});
      await people().saveInvitation({ ...invitation, id: "j", hash: sha256("2") }, {});
      expect(await people().claimAddress(CLAIM, { kind: "invitation", hash: sha256("1") }, none, NOW)).toBe("spent");
      expect(await people().withdrawInvitation("j", {}, NOW)).toBe(true);
      expect(await people().withdrawInvitation("j", {}, NOW)).toBe(false);
      expect(await people().claimAddress(CLAIM, { kind: "invitation", hash: sha256("2") }, none, NOW)).toBe("spent");
    });
  });

  describe("RG-05 the address of an account that is proved", () => {
    const proof = { userId: "ada", email: "ada@example.com", empties: true };
    beforeEach(async () => {
      await set("ada", { registeredBy: "self" });
      await session("ada");
    });

    test("by its holder keeps everything", async () => {
      expect(await people().proveAddress({ ...proof, empties: false }, {}, NOW)).toBe(true);
      expect(await people().findAccountByEmail(proof.email)).toMatchObject({
        emailVerifiedAt: NOW,
        passwordHash: "$argon2id$not-checked-here",
      });
      expect(await live("ada")).toEqual(["ada"]);
    });

    test("by somebody else empties it, and sets the password that comes with the proof", async () => {
      expect(await people().proveAddress({ ...proof, passwordHash: "$new" }, {}, NOW)).toBe(true);
      expect(await people().findAccountByEmail(proof.email)).toMatchObject({ emailVerifiedAt: NOW, passwordHash: "$new", signInEpoch: 1 });
      expect(await live("ada")).toEqual([]);
    });

    test("of two at once, one counts, and the password of the other is not set", async () => {
      const proofs = ["$one", "$two"].map((passwordHash) => people().proveAddress({ ...proof, passwordHash }, {}, NOW));
      expect((await Promise.all(proofs)).sort()).toEqual([false, true]);
    });

    test("does nothing for another address than the account has by now", async () => {
      expect(await people().proveAddress({ ...proof, email: "old@example.com" }, {}, NOW)).toBe(false);
      expect(await live("ada")).toEqual(["ada"]);
    });
  });

  describe("EA-02 EA-03 N50 a change of address", () => {
    const to = "ada@example.org";
    const change = (name = "change") => token(name, "email_change", { userId: "ada", email: to, signInEpoch: 0 });
    const undo = token("undo", "email_undo", { userId: "ada", email: "ada@example.com" });
    const reset = token("reset", "reset", { userId: "ada", email: "ada@example.com", expiresAt: NOW + 1800 });
    const switchTo = (name = "change", now = NOW) =>
      people().changeAddress({ userId: "ada", from: "ada@example.com", to, token: sha256(name), sessionId: "here", undo }, {}, now);
    beforeEach(async () => {
      await session("ada", "here");
      await session("ada", "there");
    });

    test("ends the other sessions, and works once", async () => {
      await people().saveAddressChange(change(), {});
      expect(await switchTo()).toBe("changed");
      expect(await people().findAccount("ada")).toMatchObject({ email: to, emailVerifiedAt: NOW, signInEpoch: 1 });
      expect(await live("ada")).toEqual(["here"]);
      expect(await switchTo()).toBe("stale");
    });

    test("a second request cancels the first one", async () => {
      await people().saveAddressChange(change(), {});
      await people().saveAddressChange(change("second"), {});
      expect([await switchTo(), await switchTo("second")]).toEqual(["stale", "changed"]);
    });

    test.each([
      ["a change of the password", { signInEpoch: 1 }],
      ["disabling the account", { disabledAt: NOW }],
      ["deleting it", { deleteAfter: NOW + 60 }],
    ])("is cancelled by %s", async (_, what) => {
      await people().saveAddressChange(change(), {});
      await set("ada", what);
      expect(await switchTo()).toBe("stale");
      expect(await people().findAccount("ada")).toMatchObject({ email: "ada@example.com" });
    });

    test("to an address that somebody took since changes nothing", async () => {
      await people().saveAddressChange(change(), {});
      await set("bob", { email: to });
      expect(await switchTo()).toBe("taken");
      expect(await people().findAccount("ada")).toMatchObject({ email: "ada@example.com", signInEpoch: 0 });
      expect(await live("ada")).toHaveLength(2);
    });

    test("is undone from the old address: all sessions end, later factors and the password go, earlier factors stay", async () => {
      const { db, tables } = database.handle;
      const key = { userId: "ada", publicKey: Buffer.from("key"), algorithm: -7, counter: 0, transports: [], aaguid: "", name: "Key" };
      const flags = { backupEligible: false, backedUp: false, userVerified: true, rpId: "localhost" };
      await people().saveAddressChange(change(), {});
      await switchTo("change", NOW + 10);
      await db.insert(tables.passkeys).values([
        { ...key, ...flags, credentialId: "before", createdAt: NOW },
        { ...key, ...flags, credentialId: "after", createdAt: NOW + 11 },
      ]);
      const taken = { userId: "ada", to: "ada@example.com", token: undo.hash, changedAt: NOW + 10, reset };
      expect(await people().undoAddressChange(taken, {}, NOW + 20)).toBe("undone");
      expect(await people().findAccountByEmail("ada@example.com")).toMatchObject({
        id: "ada",
        passwordHash: null,
        emailVerifiedAt: NOW + 20,
      });
      expect(await db.select({ id: tables.passkeys.credentialId }).from(tables.passkeys)).toEqual([{ id: "before" }]);
      expect(await live("ada")).toEqual([]);
      expect(await people().undoAddressChange(taken, {}, NOW + 20)).toBe("stale");
    });

    test("the undo works after another change and after a request to delete the account, and voids the undo of that change", async () => {
      await people().saveAddressChange(change(), {});
      await switchTo();
      const later = token("later undo", "email_undo", { userId: "ada", email: to, createdAt: NOW + 5 });
      await people().saveMailedToken(later);
      await set("ada", { email: "evil@example.org", deleteAfter: NOW + 60 });
      const first = { userId: "ada", to: "ada@example.com", token: undo.hash, changedAt: NOW, reset };
      expect(await people().undoAddressChange(first, {}, NOW + 6)).toBe("undone");
      expect(await people().findAccount("ada")).toMatchObject({ email: "ada@example.com", deleteAfter: null });
      expect(await people().undoAddressChange({ ...first, to, token: later.hash }, {}, NOW + 6)).toBe("stale");
    });
  });

  describe("EA-03 an address that a change left, while the change can be undone", () => {
    const squatter = { ...CLAIM, id: "squatter", email: "old@example.com" };
    const undo = token("undo", "email_undo", { userId: "ada", email: squatter.email, expiresAt: NOW + 600 });
    const reset = token("reset", "reset", { userId: "ada", email: squatter.email, expiresAt: NOW + 1800 });
    const undoIt = () =>
      people().undoAddressChange({ userId: "ada", to: squatter.email, token: undo.hash, changedAt: NOW, reset }, {}, NOW + 1);

    test("is refused to a sign-up that proves nothing, until the link expires", async () => {
      await people().saveMailedToken(undo);
      expect(await people().insertUnverifiedAccount(squatter, {})).toBe(false);
      expect(await people().insertUnverifiedAccount({ ...squatter, createdAt: NOW + 600 }, {})).toBe(true);
    });

    test("is restored although a stranger took it, whose unproved account is deleted with its session", async () => {
      expect(await people().insertUnverifiedAccount(squatter, {})).toBe(true);
      await session("squatter");
      await people().saveMailedToken(undo);
      expect(await undoIt()).toBe("undone");
      expect(await people().findAccountByEmail(squatter.email)).toMatchObject({ id: "ada", emailVerifiedAt: NOW + 1 });
      expect([await people().findAccount("squatter"), await live("squatter")]).toEqual([undefined, []]);
    });

    test.each([["an operator made"], ["its user has proved"]])("is not taken from an account that %s, and the link stays", async (who) => {
      await people().insertUnverifiedAccount(squatter, {});
      await set("squatter", who === "an operator made" ? { registeredBy: "operator" } : { emailVerifiedAt: NOW });
      await people().saveMailedToken(undo);
      expect(await undoIt()).toBe("taken");
      expect(await people().findAccountByEmail(squatter.email)).toMatchObject({ id: "squatter" });
      expect((await people().findMailedToken(undo.hash))?.spentAt).toBeNull();
    });

    test("the undo saves the link of the reset, which is live in the sign-in epoch that the undo began", async () => {
      await people().saveMailedToken(undo);
      expect(await undoIt()).toBe("undone");
      expect(await people().spendMailedToken(reset.hash, NOW + 2)).toBe(true);
    });
  });

  describe("RG-10 a deletion", () => {
    const deleteAfter = NOW + 7 * 86_400;

    test("ends all access at once, and can be taken back", async () => {
      await session("ada");
      expect(await people().requestDeletion({ userId: "ada", deleteAfter }, {}, NOW)).toBe(true);
      expect(await live("ada")).toEqual([]);
      expect(await people().restoreAccount({ userId: "ada", deleteAfter: deleteAfter + 1 }, {})).toBe(false);
      expect(await people().restoreAccount({ userId: "ada", deleteAfter }, {})).toBe(true);
      expect(await people().findAccount("ada")).toMatchObject({ deleteAfter: null });
      expect(await live("ada")).toEqual([]);
    });

    test("tells the clients of every session, by back-channel logout", async () => {
      const { db, tables } = database.handle;
      await db.update(tables.clients).set({ options: { backchannelLogoutUri: "https://shop.example/logout" } });
      for (const name of ["here", "there"]) {
        await session("ada", name);
        const grant = { id: name, userId: "ada", clientId: "shop-dev", scope: "openid", sessionId: name, accessEpoch: 0, createdAt: NOW };
        await createAuthStore(database.handle).saveGrant(grant);
      }
      expect(await people().requestDeletion({ userId: "ada", deleteAfter }, {}, NOW)).toBe(true);
      const told = (await db.select().from(tables.jobs)).map(({ payload }) => payload);
      expect(told).toHaveLength(2);
      for (const sessionId of ["here", "there"]) expect(told).toContainEqual({ clientId: "shop-dev", userId: "ada", sessionId });
    });

    test("is refused for the last admin, also for two admins at once", async () => {
      await set("ada", { role: "admin" });
      expect(await people().requestDeletion({ userId: "ada", deleteAfter }, {}, NOW)).toBe(false);
      await set("bob", { role: "admin" });
      const both = await Promise.all(["ada", "bob"].map((userId) => people().requestDeletion({ userId, deleteAfter }, {}, NOW)));
      expect(both.filter(Boolean)).toHaveLength(1);
      expect(await hasAdmin(database.handle)).toBe(true);
    });

    test("deletes the row only after its grace period", async () => {
      await people().requestDeletion({ userId: "ada", deleteAfter }, {}, NOW);
      await people().deleteAccount("ada", deleteAfter - 1);
      expect(await people().findAccount("ada")).toBeDefined();
      await people().deleteAccount("ada", deleteAfter);
      expect(await people().findAccount("ada")).toBeUndefined();
    });
  });
});
