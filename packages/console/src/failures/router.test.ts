import { actorOf, ERRORS, OAuthError, REFUSAL_CAUSES, recordRefusal } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation, seedApplication } from "../testing/callers.ts";

describe.each(engines)("the failure ledger, on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  const ids: string[] = [];

  beforeAll(async () => {
    it = await openInstallation(engine);
    ({ clientId } = await seedApplication(it.deps));
    const refuse = async (error: OAuthError, client: string | null) => {
      it.clock.now += 1;
      ids.unshift(
        await recordRefusal(error, { endpoint: "/token", clientId: client }, it.deps, { address: "192.0.2.1" }),
      );
    };
    await refuse(new OAuthError("invalid_client", "client_unknown", "no such client"), "nobody");
    await refuse(new OAuthError("invalid_client", "secret_wrong", "no secret matches"), clientId);
    await refuse(
      new OAuthError("invalid_grant", "code_expired", "code expired", { detail: { expiredBySeconds: 3 } }),
      clientId,
    );
    await refuse(new OAuthError("invalid_request", "parameter_missing", "grant_type is missing"), null);
  });
  afterAll(() => it.close());

  type Input = Parameters<ReturnType<Installation["as"]>["refusals"]["list"]>[0];
  const list = (input: Input) => it.as("developer").refusals.list(input);
  const found = async (input: Input) => (await list(input)).items.map(({ errorId }) => errorId);

  test("lists the newest first, page by page", async () => {
    const first = await list({ limit: 3 });
    expect(first.items.map(({ errorId }) => errorId)).toEqual(ids.slice(0, 3));
    expect(await found({ limit: 3, cursor: first.nextCursor })).toEqual(ids.slice(3));
  });

  test("filters by client, cause and time", async () => {
    expect(await found({ clientId })).toEqual([ids[1], ids[2]]);
    expect(await found({ clientId, cause: "secret_wrong" })).toEqual([ids[2]]);
    expect(await found({ cause: "client_unknown" })).toEqual([ids[3]]);
    expect(await found({ from: NOON + 2, to: NOON + 3 })).toEqual([ids[1], ids[2]]);
  });

  test("an entry says what its cause means, which client it was, who can fix it and how", async () => {
    expect(await it.as("admin").refusals.one({ errorId: ids[1] ?? "" })).toEqual({
      errorId: ids[1],
      at: NOON + 3,
      endpoint: "/token",
      error: "invalid_grant",
      cause: "code_expired",
      explanation: "The code is older than 60 seconds.",
      message: "code expired",
      detail: { expiredBySeconds: 3 },
      actor: "client developer",
      howToFix: "Redeem it immediately.",
      client: {
        clientId,
        applicationId: expect.any(String),
        applicationName: "Shop",
        name: "Main",
        environment: "development",
      },
      address: "192.0.2.1",
      groupKey: expect.any(String),
      sentence: "The code is older than 60 seconds.",
      facts: [{ label: "Expired", value: "3 seconds before the request" }],
      uri: null,
      fix: null,
      canTry: true,
      group: expect.objectContaining({ count: 1, state: "open", cause: "code_expired" }),
    });
    const unknown = await it.as("admin").refusals.one({ errorId: ids[3] ?? "" });
    expect(unknown.client).toEqual({
      clientId: "nobody",
      applicationId: null,
      applicationName: null,
      name: null,
      environment: null,
    });
    expect([unknown.group?.client, unknown.fix, unknown.canTry]).toEqual([null, null, false]);
  });

  test("an id is found in any spelling, and an unknown one is not found", async () => {
    const [id = ""] = ids;
    const typed = ` ${id.slice(0, 5).toLowerCase()} ${id.slice(5).replaceAll("0", "o").replaceAll("1", "l")}`;
    expect((await it.as("developer").refusals.one({ errorId: typed })).errorId).toBe(id);
    await expect(it.as("developer").refusals.one({ errorId: "ABCDEFGHJK" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  const refuseUri = async (sent: string, registered: string) => {
    const detail = { sent, nearest: registered, differsAt: 0 };
    const error = new OAuthError("invalid_request", "redirect_uri_unregistered", "not registered", { detail });
    return recordRefusal(error, { endpoint: "/authorize", clientId }, it.deps, { address: "192.0.2.77" });
  };

  test("CO-47 a redirect URI is compared with those that are registered now, and the fix opens the editor with it", async () => {
    const { redirectUris } = await it.as("admin").clients.get({ clientId });
    const [registered = ""] = redirectUris;
    const slash = await it.as("developer").refusals.one({ errorId: await refuseUri(`${registered}/`, registered) });
    expect(slash).toMatchObject({
      sentence: "The redirect URI is not registered for the client: a slash at the end.",
      uri: {
        sent: `${registered}/`,
        registered: redirectUris,
        comparison: { nearest: registered, differsAt: registered.length },
      },
      fix: { kind: "add_redirect_uri", value: `${registered}/`, newHost: false },
    });
    const stranger = await it
      .as("developer")
      .refusals.one({ errorId: await refuseUri("https://evil.example/callback", registered) });
    expect(stranger.fix).toMatchObject({ kind: "add_redirect_uri", newHost: true });
    const code = await it.as("developer").refusals.one({ errorId: await refuseUri("javascript:alert(1)", registered) });
    expect(code.fix).toBeNull();
    const nowRegistered = await it
      .as("developer")
      .refusals.one({ errorId: await refuseUri(registered, "https://elsewhere.example/") });
    expect([nowRegistered.uri?.comparison.matched, nowRegistered.fix]).toEqual([registered, null]);
  });

  test("CO-47 the client of a failure can be tried by those who may run it, while it is on and has something to run", async () => {
    const errorId = ids[1] ?? "";
    const canTry = async (role: "admin" | "developer" | "viewer") =>
      (await it.as(role).refusals.one({ errorId })).canTry;
    expect([await canTry("admin"), await canTry("developer"), await canTry("viewer")]).toEqual([true, true, false]);
    await it.as("admin").clients.setEnabled({ clientId, enabled: false });
    expect(await canTry("admin")).toBe(false);
    await it.as("admin").clients.setEnabled({ clientId, enabled: true });
    expect(await canTry("admin")).toBe(true);

    const { db } = it.deps;
    const { tables } = db;
    const change = (values: Partial<typeof tables.clients.$inferInsert>) => db.update(tables.clients).set(values);
    const { environment, origin, grantTypes } = await it.as("admin").clients.get({ clientId });
    await change({ environment: "production" });
    expect([await canTry("admin"), await canTry("developer")]).toEqual([true, false]);
    await change({ environment, origin: "dynamic" });
    expect(await canTry("admin")).toBe(false);
    await change({ origin, grantTypes: ["refresh_token"] });
    expect(await canTry("admin")).toBe(false);
    await change({ grantTypes });
    expect(await canTry("developer")).toBe(true);
  });

  test("CO-26 a pasted address is tested by the matcher of /authorize, and against the other environments", async () => {
    const { redirectUris } = await it.as("admin").clients.get({ clientId });
    const [registered = ""] = redirectUris;
    const run = (pasted: string) => it.as("viewer").clients.testRedirectUri({ clientId, pasted });
    expect(await run(registered)).toMatchObject({ from: "uri", comparison: { matched: registered } });
    const address = `https://id.example/authorize?client_id=${clientId}&redirect_uri=${encodeURIComponent(`${registered}/`)}`;
    expect(await run(address)).toMatchObject({
      from: "authorize_url",
      uri: `${registered}/`,
      comparison: { matched: null, nearest: registered, differences: [{ kind: "slash", text: "a slash at the end" }] },
    });
    await expect(it.as("viewer").clients.testRedirectUri({ clientId: "nobody", pasted: "x" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("CO-02 viewers see failures with the network of an address, cannot search by it and get no fix", async () => {
    const errorId = await refuseUri("https://shop.example/elsewhere", "http://localhost:4000/callback");
    const seen = await it.as("viewer").refusals.one({ errorId });
    expect([seen.address, seen.fix]).toEqual(["192.0.2.0/24", null]);
    const addresses = async (role: "viewer" | "admin") =>
      (await it.as(role).refusals.list({ address: "192.0.2.77" })).items.map(({ address }) => address);
    expect(new Set(await addresses("admin"))).toEqual(new Set(["192.0.2.77"]));
    expect(new Set(await addresses("viewer"))).toEqual(new Set(["192.0.2.0/24"]));
  });

  test("CO-46 a group is resolved, returns as regressed at the top, is muted and opened; each leaves an audit row", async () => {
    const groups = async () => (await it.as("viewer").refusals.groups({ clientId, state: "open" })).items;
    const secret = (await groups()).find(({ cause }) => cause === "secret_wrong");
    const key = secret?.key ?? "";
    expect(secret).toMatchObject({ count: 1, state: "open", endpoint: "/token", actor: "client developer" });
    expect(secret?.trend.reduce((sum, count) => sum + count, 0)).toBe(1);

    const decide = (decision: Parameters<ReturnType<Installation["as"]>["refusals"]["decide"]>[0]["decision"]) =>
      it.as("developer").refusals.decide({ key, decision });
    expect((await decide({ kind: "resolved" })).state).toBe("resolved");
    expect((await groups()).some((group) => group.key === key)).toBe(false);
    it.clock.now += 60;
    const error = new OAuthError("invalid_client", "secret_wrong", "no secret matches");
    await recordRefusal(error, { endpoint: "/token", clientId }, it.deps, { address: null });
    expect((await groups())[0]).toMatchObject({ key, state: "regressed", count: 2, regressedAt: it.clock.now });

    const tomorrow = it.clock.now + 86_400;
    expect(await decide({ kind: "muted", until: tomorrow })).toMatchObject({ state: "muted", mutedUntil: tomorrow });
    await expect(decide({ kind: "muted", until: it.clock.now })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect((await decide({ kind: "open" })).state).toBe("open");
    const { db } = it.deps;
    const rows = await db.select().from(db.tables.audit);
    const ofGroup = rows.filter(({ object }) => object === key);
    expect(ofGroup.map(({ action }) => action).toSorted()).toEqual([
      "failure.mute",
      "failure.reopen",
      "failure.resolve",
    ]);
    expect(ofGroup.map(({ objectName }) => objectName)).toEqual(Array(3).fill("secret_wrong")); // CO-64
  });

  test("CO-48 every cause has a sentence, a fix and an actor", () => {
    for (const cause of REFUSAL_CAUSES) {
      const { when, howToFix } = ERRORS[cause];
      expect([cause, when.length > 10, howToFix.length > 3, actorOf(cause).length > 3]).toEqual([
        cause,
        true,
        true,
        true,
      ]);
    }
  });

  test("CO-46 failures of a client that was removed count as production's", async () => {
    const error = new OAuthError("invalid_client", "secret_wrong", "no secret matches");
    await recordRefusal(error, { endpoint: "/token", clientId }, it.deps, { address: null });
    const [group] = (await it.as("viewer").refusals.groups({ clientId })).items;
    await it.as("admin").clients.remove({ clientId });
    const decision = { key: group?.key ?? "", decision: { kind: "resolved" } } as const;
    await expect(it.as("developer").refusals.decide(decision)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await it.as("admin").refusals.decide(decision)).toMatchObject({ state: "resolved" });
  });
});
