import { createVerifyToken } from "@gatehouse/sdk";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS, MAIL, STOCK } from "../harness/fixture.ts";
import { obtainCode, postAs, redeem, serviceToken, signIn } from "../harness/flow.ts";
import { textOf } from "../harness/http.ts";

// An API that checks tokens with @gatehouse/sdk, against the built server.

const issuer = inject("issuer");
const { shopper, stockServer } = CLIENTS;
let person: Agent;
beforeAll(async () => {
  person = await signIn(issuer, "sdk-api");
});

/** The check of an API, and what it asked the server. */
function api(resource: string) {
  const asked: string[] = [];
  const verifyToken = createVerifyToken({
    issuer,
    clientId: stockServer.client_id,
    clientSecret: stockServer.client_secret,
    resource,
    fetch: (input, init) => {
      asked.push(new URL(input instanceof Request ? input.url : input).pathname);
      return fetch(input, init);
    },
  });
  return { verifyToken, asked };
}

const tokensFor = async (resource: string, scope: string) =>
  redeem(issuer, shopper, await obtainCode(person, shopper, { scope: `openid ${scope}`, resource }), { resource });

describe("N95 PK-48 an API with the SDK", () => {
  test("accepts an opaque token for itself, and rejects it at the next call once it is revoked", async () => {
    const { verifyToken, asked } = api(STOCK.id);
    const token = textOf(await tokensFor(STOCK.id, "stock:read"), "access_token");
    expect(await verifyToken(token, { scope: "stock:read" })).toMatchObject({
      userId: expect.any(String),
      clientId: shopper.client_id,
      environment: "production",
      acr: "urn:gatehouse:acr:password",
    });
    await expect(verifyToken(token, { scope: "stock:write" })).rejects.toMatchObject({ status: 403 });
    expect((await postAs(issuer, "/revoke", shopper, { token })).status).toBe(200);
    await expect(verifyToken(token)).rejects.toMatchObject({ code: "invalid_token" });
    expect(asked.filter((path) => path === "/introspect")).toHaveLength(3);
  });

  test("rejects tokens for other APIs, refresh tokens and ID tokens", async () => {
    const answer = await tokensFor(MAIL.id, "mail:send offline_access");
    const [mail, id, refresh] = ["access_token", "id_token", "refresh_token"].map((name) => textOf(answer, name));
    expect(await api(MAIL.id).verifyToken(mail, { scope: "mail:send" })).toMatchObject({ clientId: "shopper" });
    for (const [resource, token] of [
      [STOCK.id, mail],
      [MAIL.id, id],
      [MAIL.id, refresh],
      [STOCK.id, await serviceToken(issuer)],
    ])
      await expect(api(resource ?? "").verifyToken(token)).rejects.toMatchObject({ code: "invalid_token" });
  });

  test("N96 PK-49 fetches the keys once more for three hundred tokens with unknown keys", async () => {
    const { verifyToken, asked } = api(MAIL.id);
    const [head = "", ...rest] = textOf(await tokensFor(MAIL.id, "mail:send"), "access_token").split(".");
    const header = JSON.parse(Buffer.from(head, "base64url").toString());
    const forged = Array.from({ length: 300 }, (_, at) =>
      [Buffer.from(JSON.stringify({ ...header, kid: `kid-${at}` })).toString("base64url"), ...rest].join("."),
    );
    const all = await Promise.allSettled(forged.map((token) => verifyToken(token)));
    expect(all.every(({ status }) => status === "rejected")).toBe(true);
    expect(asked.filter((path) => path.endsWith("jwks.json")).length).toBeLessThanOrEqual(1);
    expect(asked).not.toContain("/introspect");
  });
});
