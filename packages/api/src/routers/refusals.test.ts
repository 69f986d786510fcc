import { OAuthError, recordRefusal } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation, seedApplication } from "../testing/installation.ts";

describe.each(engines)("the failure ledger, on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  const ids: string[] = [];

  beforeAll(async () => {
    it = await openInstallation(engine);
    ({ clientId } = await seedApplication(it.deps));
    const refuse = async (error: OAuthError, client: string | null) => {
      it.clock.now += 1;
      ids.unshift(await recordRefusal(error, { endpoint: "/token", clientId: client }, it.deps, { address: "192.0.2.1" }));
    };
    await refuse(new OAuthError("invalid_client", "client_unknown", "no such client"), "nobody");
    await refuse(new OAuthError("invalid_client", "secret_wrong", "no secret matches"), clientId);
    await refuse(new OAuthError("invalid_grant", "code_expired", "code expired", { detail: { expiredBySeconds: 3 } }), clientId);
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
      remedy: "Redeem it immediately.",
      client: { clientId, applicationName: "Shop", environment: "development" },
      address: "192.0.2.1",
    });
    const unknown = await it.as("admin").refusals.one({ errorId: ids[3] ?? "" });
    expect(unknown.client).toEqual({ clientId: "nobody", applicationName: null, environment: null });
  });

  test("an id is found in any spelling, and an unknown one is not found", async () => {
    const [id = ""] = ids;
    const typed = ` ${id.slice(0, 5).toLowerCase()} ${id.slice(5).replaceAll("0", "o").replaceAll("1", "l")}`;
    expect((await it.as("developer").refusals.one({ errorId: typed })).errorId).toBe(id);
    await expect(it.as("developer").refusals.one({ errorId: "ABCDEFGHJK" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
