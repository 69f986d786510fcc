import { findUser } from "@gatehouse/db/stores/accounts/users";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation, signIn } from "../testing/callers.ts";
import { signUpUnverified } from "../testing/sign-up.ts";
import { createUser } from "./users.ts";

const DAY = 86_400;
const REASON = "left the team";

describe.each(engines)("an admin deletes users, on $name", (engine) => {
  let it: Installation;
  let number = 0;
  let user: { id: string; email: string };
  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());
  beforeEach(async () => {
    const email = `person${++number}@example.com`;
    user = await createUser({ email, name: "Ada", password: "correct horse battery", role: "user" }, it.deps);
  });

  const admin = () => it.as("admin");
  const mailKinds = () => it.mail.composed.filter(({ to }) => to === user.email).map(({ kind }) => kind);

  test("RG-10 UM-04 all access ends at once, the user is told, and the account goes after the grace period", async () => {
    await signIn(it.deps, user.id);
    const { deleteAfter } = await admin().users.delete({ id: user.id, reason: REASON });
    expect(deleteAfter).toBe(NOON + it.deps.accounts.deletionGraceDays * DAY);
    expect(await findUser(it.deps.db, user.id)).toMatchObject({ deleteAfter });
    expect(await admin().sessions.list({ userId: user.id })).toEqual([]);
    expect(mailKinds()).toContain("account_deletion");
    expect((await admin().users.history({ id: user.id })).items[0]).toMatchObject({
      action: "user.delete",
      detail: { reason: REASON, email: user.email },
    });
    await expect(admin().users.delete({ id: user.id })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("RG-10 an admin keeps a user who is to be deleted, once, and tells them", async () => {
    await admin().users.delete({ id: user.id });
    await admin().users.restore({ id: user.id });
    expect(await findUser(it.deps.db, user.id)).toMatchObject({ deleteAfter: null });
    expect(mailKinds()).toContain("account_restored");
    await expect(admin().users.restore({ id: user.id })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("RG-05 an account whose owner nobody proved is gone at once", async () => {
    const stranger = await signUpUnverified(
      { email: "stranger@example.com", name: "Mallory", password: "correct horse battery staple" },
      it.deps,
    );
    expect(await admin().users.delete({ id: stranger.id })).toEqual({ deleteAfter: null });
    expect(await findUser(it.deps.db, stranger.id)).toBeUndefined();
  });

  test("CO-63 nobody deletes themselves here, nor the last admin", async () => {
    await expect(admin().users.delete({ id: "admin" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const other = { email: `boss${number}@example.com`, name: "Boss", password: "correct horse battery" };
    const boss = await createUser({ ...other, role: "admin" }, it.deps);
    await admin().users.delete({ id: boss.id });
    expect(await findUser(it.deps.db, "admin")).toMatchObject({ deleteAfter: null });
    await expect(admin().users.delete({ id: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("UM-02 the number of users is that of the table", async () => {
    const before = await admin().users.count();
    await createUser(
      { email: `more${number}@example.com`, name: "Bo", password: "correct horse battery", role: "user" },
      it.deps,
    );
    expect(await it.as("viewer").users.count()).toBe(before + 1);
  });
});
