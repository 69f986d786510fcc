import type { AccountStore, Identity } from "@gatehouse/accounts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAccountStore } from "../stores/account-store.ts";
import { engines, NOW, seed, type TestDatabase } from "../testing/index.ts";

describe.each(engines)("identities on $name", ({ open }) => {
  let database: TestDatabase;
  let people: AccountStore;
  beforeEach(async () => {
    database = await open();
    await seed(database.handle);
    people = createAccountStore(database.handle);
  });
  afterEach(() => database.close());

  const identity = (id: string, userId = "ada"): Identity => ({
    ...{ id, userId, provider: "corp", issuer: "https://idp.example", subject: "1", email: null, createdAt: NOW, lastUsedAt: null },
  });
  const epoch = async () => (await people.findPerson("ada"))?.signInEpoch;

  test("UP-08 of parallel connections of one identity one succeeds, and the others are told that it is taken", async () => {
    const outcomes = await Promise.all(
      ["ada", "bob", "ada"].map((userId, at) => people.insertIdentity(identity(`${at}`, userId), { signInEpoch: 0 }, {})),
    );
    expect(outcomes.toSorted()).toEqual(["connected", "taken", "taken"]);
  });

  test("§7 none is connected on behalf of a session from before a reset, and one that is connected ends nothing", async () => {
    expect(await people.insertIdentity(identity("a"), { signInEpoch: 1 }, {})).toBe("stale");
    expect(await people.listIdentities("ada")).toEqual([]);
    expect(await people.insertIdentity(identity("a"), { signInEpoch: 0 }, {})).toBe("connected");
    expect(await epoch()).toBe(0);
  });

  test("§7 a sign-in is recorded for an identity that is there", async () => {
    await people.insertIdentity(identity("a"), { signInEpoch: 0 }, {});
    const seen = { email: null, lastUsedAt: NOW + 1 };
    expect(await people.touchIdentity("a", seen)).toBe(true);
    expect(await people.deleteIdentity({ userId: "ada", id: "a", signInEpoch: 0, keep: "" }, {}, NOW)).toBe(true);
    expect(await people.touchIdentity("a", seen)).toBe(false);
  });
});
