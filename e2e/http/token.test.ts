import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS, DEVICE_CODE } from "../harness/fixture.ts";
import { basic, obtainCode, postAs, redeem, signIn } from "../harness/flow.ts";
import { encodeForm, type Fields, json, postForm, send } from "../harness/http.ts";
import { expectJsonError, expectNotAllowed } from "./expectations.ts";

const issuer = inject("issuer");
const { web, noCode, service } = CLIENTS;
const form = { "content-type": "application/x-www-form-urlencoded" };
const asWeb = basic(web.client_id, web.client_secret);

let eve: Agent;
beforeAll(async () => {
  eve = await signIn(issuer, "token");
});

describe("token endpoint: the request itself", () => {
  test.each(["GET", "PUT", "PATCH", "DELETE", "HEAD"])("N21 TK-01 %s", async (method) => {
    expectNotAllowed(await send(issuer, "/token", { method }), "POST");
  });

  test.each<[string, Record<string, string>, string]>([
    ["N21 JSON", { "content-type": "application/json" }, JSON.stringify({ grant_type: "client_credentials" })],
    ["multipart", { "content-type": "multipart/form-data; boundary=x" }, "--x--"],
    ["no content type", {}, "grant_type=client_credentials"],
    [
      "a similar content type",
      { "content-type": "application/x-www-form-urlencoded-ish" },
      "grant_type=client_credentials",
    ],
  ])("TK-02 %s is rejected", async (_, headers, body) => {
    expectJsonError(
      await send(issuer, "/token", { method: "POST", headers: { ...asWeb, ...headers }, body }),
      400,
      "invalid_request",
    );
  });

  test("TK-02 a charset in the content type is accepted", async () => {
    const answer = await postForm(issuer, "/token", "grant_type=client_credentials", {
      ...basic(service.client_id, service.client_secret),
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    });
    expect(answer.status).toBe(200);
  });

  test.each(["client_secret", "code", "refresh_token", "client_id"])("N21 TK-03 %s in the query", async (name) => {
    const answer = await send(issuer, `/token?${name}=x`, {
      method: "POST",
      headers: { ...form, ...asWeb },
      body: "grant_type=refresh_token",
    });
    expect(answer.status).toBe(400);
    expect(json(answer)["error"]).toBe("invalid_request");
  });

  test.each([
    ["N22 grant_type", "grant_type=authorization_code&grant_type=authorization_code&code=x"],
    ["N22 code", "grant_type=authorization_code&code=x&code=x"],
    ["TK-04 client_id", "grant_type=authorization_code&code=x&client_id=web&client_id=web"],
    ["TK-04 scope", "grant_type=refresh_token&refresh_token=x&scope=a&scope=b"],
  ])("%s twice", async (_, body) => {
    expectJsonError(await postForm(issuer, "/token", body, asWeb), 400, "invalid_request");
  });

  test.each<[string, Fields]>([
    ["N20 password", { grant_type: "password", username: "a", password: "b" }],
    ["N20 Authorization_Code", { grant_type: "Authorization_Code" }],
    ["TK-05 implicit", { grant_type: "implicit" }],
    ["TK-05 device_code without its URN", { grant_type: "device_code" }],
    ["TX-01 JWT bearer", { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" }],
  ])("%s is unsupported for every client", async (_, fields) => {
    for (const headers of [{}, asWeb, basic("web", "wrong"), basic("nobody", "x")]) {
      expectJsonError(await postForm(issuer, "/token", fields, headers), 400, "unsupported_grant_type");
    }
  });

  test.each<[string, Fields]>([
    ["TK-05 no grant_type", {}],
    ["TK-04 an empty grant_type", { grant_type: "" }],
    ["AC-02 no code", { grant_type: "authorization_code" }],
    ["TK-04 an empty code", { grant_type: "authorization_code", code: "", code_verifier: "v".repeat(43) }],
    ["no refresh token", { grant_type: "refresh_token" }],
  ])("%s", async (_, fields) => {
    expectJsonError(await postForm(issuer, "/token", fields, asWeb), 400, "invalid_request");
  });

  test("TK-05 a supported grant that the client is not registered for", async () => {
    expectJsonError(
      await postAs(issuer, "/token", noCode, { grant_type: "authorization_code", code: "x" }),
      400,
      "unauthorized_client",
    );
    expectJsonError(
      await postAs(issuer, "/token", web, { grant_type: DEVICE_CODE, device_code: "x" }),
      400,
      "unauthorized_client",
    );
    expectJsonError(
      await postAs(issuer, "/token", web, { grant_type: "client_credentials" }),
      400,
      "unauthorized_client",
    );
  });

  test.each<[string, string | Buffer]>([
    ["NUL", "grant_type=authorization_code&code=%00"],
    ["a broken escape", "grant_type=authorization_code&code=%zz"],
    ["half an escape", "grant_type=authorization_code&code=%"],
    ["escaped invalid UTF-8", "grant_type=authorization_code&code=%ff%fe"],
    ["raw invalid UTF-8", Buffer.from([0x61, 0x3d, 0xff, 0xfe])],
    ["a megabyte", `grant_type=authorization_code&code=${"x".repeat(1_000_000)}`],
    ["nothing", ""],
    ["only separators", "&&&===&&&"],
    ["a prototype's name", "__proto__=x&constructor=y&grant_type=toString"],
  ])("TK-10 %s in the body is a client error in JSON", async (_, body) => {
    const answer = await send(issuer, "/token", { method: "POST", headers: { ...form, ...asWeb }, body });
    expect([400, 413]).toContain(answer.status);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.text).not.toMatch(/ at .+\.(ts|js):\d+/);
  });

  test("NX-03 /token/ is not an endpoint", async () => {
    const answer = await postForm(
      issuer,
      "/token/",
      { grant_type: "client_credentials" },
      basic(service.client_id, service.client_secret),
    );
    expect([404, 405]).toContain(answer.status);
  });

  test("D13 an error has its id in the body and in a header", async () => {
    const answer = await postForm(issuer, "/token", {}, asWeb);
    expect(json(answer)["error_id"]).toMatch(/\S{6,}/);
    expect(answer.headers.get("gatehouse-error-id")).toBe(json(answer)["error_id"]);
  });
});

describe("token endpoint: success", () => {
  test("TK-08 TK-09 the response's shape and headers", async () => {
    const answer = await redeem(issuer, web, await obtainCode(eve, web));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    const body = json(answer);
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 600, scope: "api:read" });
    expect(Object.values(body)).not.toContain(null);
    expect(body).not.toHaveProperty("error");
    expect(body).not.toHaveProperty("id_token");
  });

  test("TK-04 unknown parameters are ignored, even repeated", async () => {
    const answer = await redeem(issuer, web, await obtainCode(eve, web), {
      colour: ["red", "blue"],
      scope: "api:read",
    });
    expect(answer.status).toBe(200);
  });

  test("TK-04 resource may be repeated", async () => {
    const fields = encodeForm({ grant_type: "client_credentials", resource: [`${issuer}/api`, `${issuer}/api`] });
    const answer = await postForm(issuer, "/token", fields, basic(service.client_id, service.client_secret));
    expect(answer.status).toBe(200);
  });
});
