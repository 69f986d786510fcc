import { emailHash, type SignInAttempt, TYPED_EMAIL_SECONDS } from "@gatehouse/accounts";
import { timeOrderedIdsFrom } from "@gatehouse/auth";
import { ROWS_OF_BUCKET } from "@gatehouse/db/stores/accounts/sign-in-rows";
import { sweep } from "@gatehouse/db/sweep/sweep";
import { engines } from "@gatehouse/db/testing/engines";
import { count, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation, seedApplication } from "../testing/callers.ts";

const DAY = 86_400;
const FLOOD = 3_000;

describe.each(engines)("the sign-in log on $name", (engine) => {
  let it: Installation;
  let number = 0;
  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());
  beforeEach(async () => {
    it.clock.now = NOON;
    await it.deps.db.delete(it.deps.db.tables.signIns);
  });

  const attempt = (change: Partial<SignInAttempt> = {}): SignInAttempt => {
    const at = change.at ?? NOON;
    return {
      id: `${timeOrderedIdsFrom(at)}${String(++number).padStart(12, "0")}`,
      at,
      outcome: "failed",
      cause: "wrong_password",
      factor: "password",
      userId: "user",
      emailHash: null,
      typedEmail: null,
      level: null,
      clientId: null,
      address: "203.0.113.7",
      userAgent: "Mozilla/5.0",
      detail: {},
      ...change,
    };
  };
  const unknown = (email: string, change: Partial<SignInAttempt> = {}) =>
    attempt({
      userId: null,
      cause: "unknown_address",
      emailHash: emailHash(email, it.deps),
      typedEmail: email,
      ...change,
    });
  const record = (one: SignInAttempt) => it.deps.people.recordSignIn(one);
  const list = (filter: object = {}, role: "admin" | "viewer" = "admin") => it.as(role).signIns.list(filter);
  const rows = async () => (await it.deps.db.select({ n: count() }).from(it.deps.db.tables.signIns))[0]?.n ?? 0;

  test("SL-01 SL-03 an attempt is listed as soon as it is recorded, with its user, its client and what its cause means", async () => {
    const { clientId } = await seedApplication(it.deps);
    const failed = attempt({ clientId, detail: { provider: "corp" } });
    await record(failed);
    const { items } = await list();
    expect(items).toMatchObject([
      {
        id: failed.id,
        outcome: "failed",
        cause: "wrong_password",
        meaning: { explanation: expect.stringContaining("password"), actor: "user" },
        user: { id: "user", name: "user", email: "user@example.com" },
        client: { clientId, applicationName: "Shop", environment: "development" },
        detail: { provider: "corp" },
      },
    ]);
    expect(await it.as("viewer").signIns.get({ id: failed.id })).toMatchObject({ cause: "wrong_password" });
    await expect(it.as("viewer").signIns.get({ id: "none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("SL-01 what goes on after it was unfinished stays one row, with its first time", async () => {
    const begun = attempt({ outcome: "unfinished", cause: "second_step_unfinished" });
    await record(begun);
    const level = "urn:gatehouse:acr:mfa" as const;
    await record({ ...begun, at: NOON + 20, outcome: "signed_in", cause: null, level, detail: { amr: "pwd otp mfa" } });
    expect((await list()).items).toMatchObject([{ id: begun.id, at: NOON, outcome: "signed_in", cause: null, level }]);

    const both = attempt({ outcome: "unfinished", cause: "second_step_unfinished" });
    await Promise.all([record(both), record({ ...both, outcome: "signed_in", cause: null })]);
    expect((await list({ outcome: "unfinished" })).items).toEqual([]);
  });

  test("SL-03 the filters: user, address that no account has, result, cause, method, client, environment and time", async () => {
    const { clientId } = await seedApplication(it.deps, "Tea");
    const [one, two, three, four] = [
      attempt({ clientId }),
      attempt({ at: NOON + 60, outcome: "signed_in", cause: null, factor: "passkey", userId: "viewer" }),
      unknown("nobody@example.com", { at: NOON + 120 }),
      attempt({ at: NOON + 180, cause: "totp_clock", factor: "second_step", userId: "admin" }),
    ];
    for (const each of [one, two, three, four]) await record(each);
    const found = async (filter: object) => (await list(filter)).items.map(({ id }) => id);
    expect(await found({})).toEqual([four.id, three.id, two.id, one.id]);
    expect(await found({ user: "user" })).toEqual([one.id]);
    expect(await found({ user: "Viewer@Example.com" })).toEqual([two.id]);
    expect(await found({ user: "NOBODY@example.com" })).toEqual([three.id]);
    expect(await found({ outcome: "signed_in" })).toEqual([two.id]);
    expect(await found({ cause: "totp_clock" })).toEqual([four.id]);
    expect(await found({ factor: "passkey" })).toEqual([two.id]);
    expect(await found({ clientId })).toEqual([one.id]);
    expect(await found({ environment: "development" })).toEqual([one.id]);
    expect(await found({ environment: "production" })).toEqual([]);
    expect(await found({ from: NOON + 60, to: NOON + 120 })).toEqual([three.id, two.id]);
    const page = await list({ limit: 3 });
    expect((await list({ limit: 3, cursor: page.nextCursor })).items.map(({ id }) => id)).toEqual([one.id]);
  });

  test("SL-02 a flood against one account, or from strangers to none, pushes out nothing of another account, and no success", async () => {
    const success = attempt({ outcome: "signed_in", cause: null, userId: "viewer" });
    const failure = attempt({ userId: "developer", cause: "account_disabled" });
    const passwordKnown = attempt({ outcome: "unfinished", cause: "second_step_unfinished", userId: "viewer" });
    await Promise.all([record(success), record(failure), record(passwordKnown)]);
    await Promise.all([
      ...Array.from({ length: FLOOD }, () => record(attempt({ userId: "viewer" }))),
      ...Array.from({ length: FLOOD }, (_, n) =>
        record(unknown(`junk-${n}@example.com`, { address: `198.51.${n % 250}.${n % 200}` })),
      ),
    ]);
    expect((await list({ user: "viewer", outcome: "signed_in" })).items).toMatchObject([{ id: success.id }]);
    expect((await list({ user: "viewer", outcome: "unfinished" })).items).toMatchObject([{ id: passwordKnown.id }]);
    expect((await list({ user: "developer" })).items).toMatchObject([{ id: failure.id }]);
    expect((await list({ user: "viewer", outcome: "failed", limit: 100 })).items.length).toBeLessThanOrEqual(
      2 * ROWS_OF_BUCKET,
    );
    expect(await rows()).toBeLessThan(2 * 66 * ROWS_OF_BUCKET);
  });

  test("SL-02 what was typed is for admins, for a day; its keyed hash finds it longer, and no row has the address then", async () => {
    const typed = unknown("hunter2@example.com");
    await record(typed);
    const { signIns } = it.deps.db.tables;
    expect((await list()).items).toMatchObject([{ typedEmail: "hunter2@example.com", user: null }]);
    expect((await list({}, "viewer")).items).toMatchObject([{ typedEmail: null, address: "203.0.113.0/24" }]);
    it.clock.now += TYPED_EMAIL_SECONDS;
    expect((await list()).items).toMatchObject([{ typedEmail: null }]);
    await sweep(it.deps.db, it.clock.now + 1);
    const [row] = await it.deps.db.select().from(signIns).where(eq(signIns.id, typed.id));
    expect(row).toMatchObject({ typedEmail: null, emailHash: expect.stringMatching(/^[\w-]{22}$/) });
    expect((await list({ user: "hunter2@example.com" })).items).toMatchObject([{ id: typed.id }]);
  });

  test("SL-02 attempts are kept for as long as the setting says, and go with their user", async () => {
    await record(attempt());
    await record(attempt({ userId: "developer" }));
    await sweep(it.deps.db, NOON + 30 * DAY, { signInDays: 31 });
    expect(await rows()).toBe(2);
    await it.deps.db.delete(it.deps.db.tables.users).where(eq(it.deps.db.tables.users.id, "developer"));
    expect(await rows()).toBe(1);
    await record(attempt({ userId: "developer" })); // who is gone
    expect(await rows()).toBe(1);
    await sweep(it.deps.db, NOON + 32 * DAY, { signInDays: 31 });
    expect(await rows()).toBe(0);
  });
});
