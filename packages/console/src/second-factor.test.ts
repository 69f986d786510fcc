import { ACR } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTrpcHandler } from "./handler.ts";
import { appRouter } from "./root.ts";
import { type Installation, ISSUER, issueToken, openInstallation, seedApplication, signIn } from "./testing/callers.ts";

const trpc = createTrpcHandler(appRouter);

describe.each(engines)("roles that need a second factor, MF-10, on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  beforeAll(async () => {
    it = await openInstallation(engine);
    it.deps.config.secondFactor = { everybody: false, roles: ["admin", "developer"] };
    ({ clientId } = await seedApplication(it.deps));
  });
  afterAll(() => it.close());

  const call = (path: string, headers: Record<string, string>) =>
    trpc(new Request(`${ISSUER}/trpc/${path}`, { headers }), it.deps, { address: "192.0.2.1" });
  const token = async (userId: string, acr: string, scope = "console:read", more: { undated?: true } = {}) => {
    const context = { authTime: it.deps.now(), acr, amr: ["pwd"], ...more };
    return { authorization: `Bearer ${await issueToken(it.deps, { clientId, userId, scope, context })}` };
  };

  test("N62 a console token at the level of a password is refused, and the answer says which level to request", async () => {
    const refused = await call("applications.list?input=%7B%7D", await token("admin", ACR.password));
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get("www-authenticate");
    expect(challenge).toContain('error="insufficient_user_authentication"');
    expect(challenge).toContain(`acr_values="${ACR.mfa}"`);
  });

  test("N62 so is a session cookie", async () => {
    expect((await call("applications.list?input=%7B%7D", { cookie: await signIn(it.deps, "admin") })).status).toBe(401);
  });

  test.each([ACR.mfa, ACR.phr])("MF-10 a token at %s is accepted", async (acr) => {
    expect((await call("applications.list?input=%7B%7D", await token("admin", acr))).status).toBe(200);
  });

  describe("SN-03 a fresh sign-in, where no level is demanded of the role", () => {
    const act = async (acr: string, more: { undated?: true } = {}) => {
      const headers = {
        ...(await token("admin", acr, "console:write api:read", more)),
        "content-type": "application/json",
      };
      const body = JSON.stringify({ id: "viewer" });
      const request = new Request(`${ISSUER}/trpc/users.revokeTokens`, { method: "POST", headers, body });
      return (await trpc(request, it.deps, { address: "192.0.2.1" })).status;
    };
    const freshFor = async (acr: string, more: { undated?: true } = {}) => {
      const answer = (await (await call("me.get", await token("admin", acr, "api:read", more))).json()) as {
        result: { data: { freshForSeconds: number } };
      };
      return answer.result.data.freshForSeconds;
    };
    beforeAll(() => {
      it.deps.config.secondFactor = { everybody: false, roles: [] };
    });
    afterAll(() => {
      it.deps.config.secondFactor = { everybody: false, roles: ["admin", "developer"] };
    });

    test("is the password alone for an admin without a second factor", async () => {
      expect([await act(ACR.password), await freshFor(ACR.password)]).toEqual([200, 600]);
    });

    test("UP-13 is not a sign-in at a provider that does not say when it was, whatever its level", async () => {
      for (const acr of [ACR.upstream, ACR.mfa])
        expect([await act(acr, { undated: true }), await freshFor(acr, { undated: true })]).toEqual([401, 0]);
    });

    test("takes the second factor of an admin who has one: a remembered browser is not enough to act on users", async () => {
      const totp = { secret: "sealed", lastStep: 0, createdAt: it.deps.now() };
      await it.deps.people.addTotp({ userId: "admin", signInEpoch: 0 }, totp, undefined, {});
      expect([await act(ACR.password), await freshFor(ACR.password)]).toEqual([401, 0]);
      expect([await act(ACR.mfa), await freshFor(ACR.mfa)]).toEqual([200, 600]);
    });
  });

  test("MF-10 other roles, and procedures that are not of the console, need no second factor", async () => {
    expect((await call("applications.list?input=%7B%7D", await token("viewer", ACR.password))).status).toBe(200);
    expect((await call("me.get", await token("admin", ACR.password, "api:read"))).status).toBe(200);
  });
});
