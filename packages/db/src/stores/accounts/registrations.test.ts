import { sha256 } from "@gatehouse/auth";
import { beforeEach, describe, expect, test } from "vitest";
import { CLAIM, openAccountStore } from "../../testing/account-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";

const SPEND = { kind: "mailed_token", hash: sha256("link") } as const;
const none = () => ({});
const PASSKEY = {
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

describe.each(engines)("registration on $name", ({ open }) => {
  const { people, token, set, session, live } = openAccountStore(open);

  describe("an address that is claimed with a proof", () => {
    test("RG-03 N47 of ten parallel uses of one link, one makes the account", async () => {
      await people().saveMailedToken(token("link", "sign_up"));
      const claims = Array.from({ length: 10 }, (_, n) =>
        people().claimAddress({ ...CLAIM, id: `new${n}` }, SPEND, none, NOW),
      );
      const made = (await Promise.all(claims)).filter((outcome) => typeof outcome !== "string");
      expect(made).toHaveLength(1);
      expect(await people().findAccountByEmail(CLAIM.email)).toMatchObject({
        emailVerifiedAt: NOW,
        passwordHash: "$hers",
        role: "user",
      });
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
      const claimed = await people().claimAddress(
        { ...CLAIM, email: "ada@example.com", name: "Owner" },
        SPEND,
        none,
        NOW,
      );
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
      const claim = {
        ...CLAIM,
        role: "viewer",
        passwordHash: null,
        passkey: { passkey: PASSKEY, webauthnUserId: "handle" },
      } as const;
      beforeEach(async () => {
        const row = {
          id: "i",
          role: "viewer",
          hash: INVITATION.hash,
          invitedBy: "bob",
          createdAt: NOW,
          expiresAt: NOW + 60,
        } as const;
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
        expect(await people().listPasskeys("new")).toMatchObject([
          { credentialId: "made", userId: "new", rpId: "id.example" },
        ]);
      });

      test("replaces the passkeys of an account whose owner is not verified", async () => {
        await set("ada", { registeredBy: "self", webauthnUserId: "of a stranger" });
        const foreign = { ...PASSKEY, credentialId: "of a stranger", userId: "ada" };
        expect(await people().addPasskey(foreign, { webauthnUserId: "of a stranger", signInEpoch: 0 }, {}, NOW)).toBe(
          "added",
        );
        const spend = { kind: "invitation", hash: sha256("of ada") } as const;
        expect(await people().claimAddress({ ...claim, email: "ada@example.com" }, spend, none, NOW)).toEqual({
          userId: "ada",
        });
        expect((await people().listPasskeys("ada")).map(({ credentialId }) => credentialId)).toEqual(["made"]);
        expect(await people().findAccount("ada")).toMatchObject({ webauthnUserId: "handle", role: "viewer" });
      });

      test("makes nothing if the passkey cannot be stored, and the invitation counts on", async () => {
        await set("bob", { webauthnUserId: "of bob" });
        const taken = { ...PASSKEY, userId: "bob" };
        expect(await people().addPasskey(taken, { webauthnUserId: "of bob", signInEpoch: 0 }, {}, NOW)).toBe("added");
        expect(await people().claimAddress(claim, INVITATION, none, NOW)).toBe("taken");
        expect(await people().findAccountByEmail(CLAIM.email)).toBeUndefined();
        expect(await people().findInvitation(CLAIM.email)).toMatchObject({ acceptedAt: null });
      });

      describe("with the address of an account whose owner is not verified", () => {
        const takeOver = { ...claim, email: "ada@example.com" };
        const ofAda = { kind: "invitation", hash: sha256("of ada") } as const;
        beforeEach(() => set("ada", { registeredBy: "self", webauthnUserId: "of a stranger" }));

        test("changes nothing if the passkey belongs to another account, and the invitation counts on", async () => {
          await set("bob", { webauthnUserId: "of bob" });
          const taken = { ...PASSKEY, userId: "bob" };
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
          const invitations = await Promise.all(
            [CLAIM.email, "ada@example.com"].map((id) => people().findInvitation(id)),
          );
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

  describe("RG-02 an account that begins with a passkey, its address not proved", () => {
    const account = {
      id: "new",
      email: CLAIM.email,
      name: "Ada",
      role: "user",
      createdAt: NOW,
      registeredBy: "self",
      passwordHash: null,
      passkey: { passkey: PASSKEY, webauthnUserId: "handle" },
    } as const;

    test("has the passkey and its WebAuthn id at once", async () => {
      expect(await people().insertUnverifiedAccount(account, {})).toBe(true);
      expect(await people().findAccountByEmail(CLAIM.email)).toMatchObject({
        webauthnUserId: "handle",
        passwordHash: null,
        emailVerifiedAt: null,
      });
      expect(await people().listPasskeys("new")).toMatchObject([{ credentialId: "made", userId: "new" }]);
    });

    test("is not made with a taken address, nor with a passkey that somebody has", async () => {
      expect(await people().insertUnverifiedAccount({ ...account, email: "ada@example.com" }, {})).toBe(false);
      expect(await people().listPasskeys("new")).toEqual([]);
      await people().insertUnverifiedAccount(account, {});
      const other = { ...account, id: "other", email: "other@example.org" };
      expect(await people().insertUnverifiedAccount(other, {})).toBe(false);
      expect(await people().findAccountByEmail(other.email)).toBeUndefined();
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
      expect(await people().findAccountByEmail(proof.email)).toMatchObject({
        emailVerifiedAt: NOW,
        passwordHash: "$new",
        signInEpoch: 1,
      });
      expect(await live("ada")).toEqual([]);
    });

    test("of two at once, one counts, and the password of the other is not set", async () => {
      const proofs = ["$one", "$two"].map((passwordHash) => people().proveAddress({ ...proof, passwordHash }, {}, NOW));
      expect((await Promise.all(proofs)).sort()).toEqual([false, true]);
    });

    test("does nothing for another address than the account has now", async () => {
      expect(await people().proveAddress({ ...proof, email: "old@example.com" }, {}, NOW)).toBe(false);
      expect(await live("ada")).toEqual(["ada"]);
    });
  });
});
