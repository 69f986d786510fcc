import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { authorize, authorizePath, obtainTokens, postAs, redirectUriOf, refresh, signIn } from "../harness/flow.ts";
import { json, send, textOf } from "../harness/http.ts";
import { expectErrorRedirect } from "./expectations.ts";

const issuer = inject("issuer");
const { web, keeping, resourceServer } = CLIENTS;
const PASSWORD = "urn:gatehouse:acr:password";

let lia: Agent;
beforeAll(async () => {
  lia = await signIn(issuer, "lifetimes");
});

const introspect = async (token: string) => json(await postAs(issuer, "/introspect", resourceServer, { token }));

describe("step-up, RFC 9470", () => {
  test("SU-01 IN-03 introspection returns when and how the user signed in, for a refreshed token too", async () => {
    const tokens = await obtainTokens(lia, web, { acr_values: `urn:example:mfa ${PASSWORD}` });
    const first = await introspect(tokens.access);
    expect(first).toMatchObject({ acr: PASSWORD, amr: ["pwd"], auth_time: expect.any(Number) });
    expect(Number(first["auth_time"])).toBeLessThanOrEqual(Number(first["iat"]));
    const second = await introspect(textOf(await refresh(issuer, web, tokens.refresh), "access_token"));
    expect([second["acr"], second["auth_time"]]).toEqual([first["acr"], first["auth_time"]]);
  });

  test("SU-01 max_age=0 asks for the password again", async () => {
    expect((await lia.open(authorizePath(web, { max_age: "0" }))).url).toContain("/sign-in");
  });

  test("SU-01 an unknown essential acr is rejected with its own error", async () => {
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ["urn:example:mfa"] } } });
    const page = await authorize(lia, web, { claims });
    expectErrorRedirect(page, "unmet_authentication_requirements", {
      to: redirectUriOf(web),
      iss: issuer,
      state: "the-state",
    });
  });

  test("SU-01 MD-03 the metadata lists the supported contexts", async () => {
    const metadata = json(await send(issuer, "/.well-known/oauth-authorization-server"));
    expect(metadata["acr_values_supported"]).toEqual(expect.arrayContaining([PASSWORD, "urn:gatehouse:acr:mfa"]));
  });
});

describe("a client with its own lifetimes", () => {
  test("CF-11 TK-08 its access tokens have the configured lifetime, and its refresh token does not rotate", async () => {
    const tokens = await obtainTokens(lia, keeping);
    for (let use = 0; use < 3; use++) {
      const answer = json(await refresh(issuer, keeping, tokens.refresh));
      expect(answer).toMatchObject({ expires_in: 90, access_token: expect.stringMatching(/^gat_/) });
      expect(answer).not.toHaveProperty("refresh_token");
    }
    await postAs(issuer, "/revoke", keeping, { token: tokens.refresh });
    expect(json(await refresh(issuer, keeping, tokens.refresh))["error"]).toBe("invalid_grant");
  });
});
