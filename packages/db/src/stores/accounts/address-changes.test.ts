import { sha256 } from "@gatehouse/auth";
import { beforeEach, describe, expect, test } from "vitest";
import { CLAIM, openAccountStore } from "../../testing/account-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";

describe.each(engines)("registration on $name", ({ open }) => {
  const it = openAccountStore(open);
  const { people, token, set, session, live } = it;

  describe("EA-02 EA-03 N50 a change of address", () => {
    const to = "ada@example.org";
    const change = (name = "change") => token(name, "email_change", { userId: "ada", email: to, signInEpoch: 0 });
    const undo = token("undo", "email_undo", { userId: "ada", email: "ada@example.com" });
    const reset = token("reset", "reset", { userId: "ada", email: "ada@example.com", expiresAt: NOW + 1800 });
    const switchTo = (name = "change", now = NOW) =>
      people().changeAddress(
        { userId: "ada", from: "ada@example.com", to, token: sha256(name), sessionId: "here", undo },
        {},
        now,
      );
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
      const { db } = it.database;
      const { tables } = db;
      const key = {
        userId: "ada",
        publicKey: Buffer.from("key"),
        algorithm: -7,
        counter: 0,
        transports: [],
        aaguid: "",
        name: "Key",
      };
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
      people().undoAddressChange(
        { userId: "ada", to: squatter.email, token: undo.hash, changedAt: NOW, reset },
        {},
        NOW + 1,
      );

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

    test.each([["an operator made"], ["its user has proved"]])(
      "is not taken from an account that %s, and the link stays",
      async (who) => {
        await people().insertUnverifiedAccount(squatter, {});
        await set("squatter", who === "an operator made" ? { registeredBy: "operator" } : { emailVerifiedAt: NOW });
        await people().saveMailedToken(undo);
        expect(await undoIt()).toBe("taken");
        expect(await people().findAccountByEmail(squatter.email)).toMatchObject({ id: "squatter" });
        expect((await people().findMailedToken(undo.hash))?.spentAt).toBeNull();
      },
    );

    test("the undo saves the link of the reset, which is live in the sign-in epoch that the undo began", async () => {
      await people().saveMailedToken(undo);
      expect(await undoIt()).toBe("undone");
      expect(await people().spendMailedToken(reset.hash, NOW + 2)).toBe(true);
    });
  });
});
