import type { AccountStore, Identity } from "@gatehouse/accounts";
import { sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { createAuthStore } from "../auth/store.ts";
import { createAccountStore } from "./store.ts";

describe.each(engines)("identities on $name", ({ open }) => {
  let database: TestDatabase;
  let people: AccountStore;
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
    people = createAccountStore(database.db);
  });
  afterEach(() => database.close());

  const identity = (id: string, userId = "ada"): Identity => ({
    id,
    userId,
    provider: "corp",
    issuer: "https://idp.example",
    subject: "1",
    email: null,
    createdAt: NOW,
    lastUsedAt: null,
  });
  const epoch = async () => (await people.findAccount("ada"))?.signInEpoch;

  test("UP-08 of parallel connections of one identity one succeeds, and the others are told that it is taken", async () => {
    const outcomes = await Promise.all(
      ["ada", "bob", "ada"].map((userId, at) =>
        people.insertIdentity(identity(`${at}`, userId), { signInEpoch: 0 }, {}),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["connected", "taken", "taken"]);
  });

  test("WE-03 none is connected on behalf of a session from before a reset, and one that is connected ends nothing", async () => {
    expect(await people.insertIdentity(identity("a"), { signInEpoch: 1 }, {})).toBe("stale");
    expect(await people.listIdentities("ada")).toEqual([]);
    expect(await people.insertIdentity(identity("a"), { signInEpoch: 0 }, {})).toBe("connected");
    expect(await epoch()).toBe(0);
  });

  test("WE-03 a sign-in is recorded for an identity that is there", async () => {
    await people.insertIdentity(identity("a"), { signInEpoch: 0 }, {});
    const seen = { email: null, lastUsedAt: NOW + 1 };
    expect(await people.touchIdentity("a", seen)).toBe(true);
    expect(await people.deleteIdentity({ userId: "ada", id: "a", signInEpoch: 0, keep: "" }, {}, NOW)).toBe(true);
    expect(await people.touchIdentity("a", seen)).toBe(false);
  });

  describe.each([undefined, "earlier"])(
    "UP-08 an identity that waits for a sign-in; the session replaces %s",
    (previousId) => {
      const session = (id: string) => ({
        hash: sha256(id),
        id,
        userId: "ada",
        authTime: NOW,
        ...PASSWORD_SIGN_IN,
        userAgent: null,
        address: null,
        accessEpoch: 0,
        createdAt: NOW,
        lastSeenAt: NOW,
        expiresAt: NOW + 1000,
        absoluteExpiresAt: NOW + 2000,
      });
      const mail = (id: string, kind: "new_sign_in" | "identity_linked") => ({
        mails: [
          {
            id,
            kind,
            recipient: "ada@example.com",
            userId: "ada",
            locale: "en",
            payload: "sealed",
            createdAt: NOW,
            expiresAt: null,
          },
        ],
      });
      const connection = (signInEpoch = 0, mailId = "connected") => ({
        identity: identity("waiting"),
        signInEpoch,
        also: mail(mailId, "identity_linked"),
      });
      async function written() {
        const { db } = database;
        const { tables } = db;
        return {
          sessions: (await createAuthStore(database.db).listSessions("ada", NOW)).map(({ id }) => id),
          identities: (await people.listIdentities("ada")).map(({ id }) => id),
          mails: (await db.select({ id: tables.mails.id }).from(tables.mails)).map(({ id }) => id).sort(),
        };
      }
      beforeEach(async () => {
        if (previousId !== undefined) await createAuthStore(database.db).saveSession(session(previousId));
      });

      test("is connected with the session and both mails, or nothing is written", async () => {
        const before = await written();
        const refused = people.saveSignIn(session("new"), previousId, mail("one", "new_sign_in"), connection(0, "one"));
        await expect(refused).rejects.toThrow(); // two mails with one id
        expect(await written()).toEqual(before);
        await people.saveSignIn(session("new"), previousId, mail("signed in", "new_sign_in"), connection());
        expect(await written()).toEqual({
          sessions: ["new"],
          identities: ["waiting"],
          mails: ["connected", "signed in"],
        });
        expect(await epoch()).toBe(0);
      });

      test.each([
        ["belongs to somebody else now", "bob", connection()],
        ["was to be connected before a reset", undefined, connection(1)],
      ])("that %s is not connected, and its user is signed in", async (_, owner, late) => {
        if (owner !== undefined) await people.insertIdentity(identity("theirs", owner), { signInEpoch: 0 }, {});
        await people.saveSignIn(session("new"), previousId, mail("signed in", "new_sign_in"), late);
        expect(await written()).toEqual({ sessions: ["new"], identities: [], mails: ["signed in"] });
      });
    },
  );
});
