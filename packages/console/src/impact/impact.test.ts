import { sha256 } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, issueToken, openInstallation, seedApplication, webClient } from "../testing/callers.ts";

const URI = "https://shop.example/callback";

describe.each(engines)("CO-37 what a change takes from a client's users, on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  beforeAll(async () => {
    it = await openInstallation(engine);
    ({ clientId } = await seedApplication(it.deps));
    for (const [userId, scope] of [
      ["user", "openid"],
      ["viewer", "openid api:read"],
      ["viewer", "openid"],
    ] as const)
      await issueToken(it.deps, { clientId, userId, scope });
    const { db, now } = it.deps;
    const { tables: t } = db;
    const day = now() - (now() % 86_400);
    await db.insert(t.clientDay).values({ clientId, day, metric: "sign_in", count: 7 });
    await db.insert(t.uriDay).values({ clientId, uriHash: sha256(URI), day, uses: 5 });
    await db.insert(t.scopeDay).values({ clientId, scope: "api:read", day, uses: 3 });
    await db.insert(t.clientUse).values({ clientId, lastTokenAt: day + 60 });
  });
  afterAll(() => it.close());

  const impact = (change: Parameters<ReturnType<Installation["as"]>["clients"]["impact"]>[0]["change"]) =>
    it.as("viewer").clients.impact({ clientId, change });
  const none = { count: 0, more: false };

  test("disabling or removing it: every user with a grant, and its sign-ins", async () => {
    for (const kind of ["disable", "remove"] as const)
      expect(await impact({ kind })).toMatchObject({
        users: { count: 2, more: false },
        grants: { count: 3, more: false },
        lastTokenAt: expect.any(Number),
        signIns30d: 7,
        atOnce: [expect.stringContaining("tokens stop working")],
      });
  });

  test("removing its application: the users of all its clients, each once", async () => {
    const { applicationId } = await it.as("viewer").clients.get({ clientId });
    const staging = { ...webClient({ environment: "staging", redirectUris: [URI] }), applicationId };
    const { client } = await it.as("admin").clients.register(staging);
    await issueToken(it.deps, { clientId: client.clientId, userId: "user", scope: "openid" });
    expect(await it.as("viewer").applications.impact({ id: applicationId })).toMatchObject({
      users: { count: 2, more: false },
      grants: { count: 4, more: false },
      lastTokenAt: expect.any(Number),
      signIns30d: 7,
      atOnce: ["The secrets and tokens of its 2 clients stop working."],
    });
    await expect(it.as("viewer").applications.impact({ id: "nothing" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a redirect URI: the sign-ins that returned to it, and no grant", async () => {
    expect(await impact({ kind: "redirect_uris", removed: [URI] })).toMatchObject({
      users: none,
      grants: none,
      signIns30d: 5,
    });
    expect(await impact({ kind: "redirect_uris", removed: ["https://other.example/"] })).toMatchObject({
      signIns30d: 0,
    });
  });

  test("a scope: the users who granted it, and the tokens that had it", async () => {
    const taken = await impact({ kind: "scopes", removed: ["api:read"] });
    expect(taken).toMatchObject({ users: { count: 1 }, grants: { count: 1 }, signIns30d: 3 });
  });

  test("grant types: users lose access with refresh tokens alone; access tokens end after the client's own lifetime", async () => {
    const removed = await impact({ kind: "grant_types", removed: ["refresh_token"] });
    expect(removed).toMatchObject({
      users: { count: 2 },
      signIns30d: null,
      later: [expect.stringContaining("within 10 minutes")],
    });
    expect(await impact({ kind: "grant_types", removed: ["authorization_code"] })).toMatchObject({ users: none });
    expect(await impact({ kind: "lifetimes" })).toMatchObject({ users: none });
    expect(await impact({ kind: "resources", removed: ["https://api.example"] })).toMatchObject({
      users: null,
      grants: null,
    });
  });

  test("a secret: users lose access only with the last one", async () => {
    const [secret] = (await it.as("viewer").clients.get({ clientId })).secrets;
    const change = { kind: "retire_secret", secretId: secret?.id ?? "" } as const;
    expect(await impact(change)).toMatchObject({
      users: { count: 2 },
      atOnce: [expect.stringContaining("only active secret")],
    });
    await it.as("admin").clients.addSecret({ clientId });
    expect(await impact(change)).toMatchObject({ users: none });
    await expect(impact({ ...change, secretId: "other" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("an unknown client is not found", async () => {
    const unknown = it.as("viewer").clients.impact({ clientId: "unknown", change: { kind: "disable" } });
    await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
