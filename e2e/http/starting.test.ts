import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callback } from "../harness/flow.ts";
import { apply, startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-starting-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const environment = (change: Record<string, string>) => ({
  ...inject("env"),
  GATEHOUSE_DATA_DIR: folder,
  DATABASE_URL: `file:${join(folder, "gatehouse.db")}`,
  ...change,
});

// A bare `next start` loads the application with the first request, so it cannot fail at start.
if (process.env["GATEHOUSE_TEST_MOUNT"] !== "next")
  describe("invalid settings stop the start with one clear message", () => {
    test.each<[string, Record<string, string>, RegExp]>([
      ["SE-01 an http issuer beyond loopback", { GATEHOUSE_ISSUER: "http://gate.example" }, /GATEHOUSE_ISSUER.*https/s],
      ["MD-02 an issuer with a query", { GATEHOUSE_ISSUER: "https://gate.example/?a=1" }, /GATEHOUSE_ISSUER/],
      ["no secret for a public issuer", { GATEHOUSE_ISSUER: "https://gate.example", GATEHOUSE_SECRET: "" }, /GATEHOUSE_SECRET/],
      ["a short secret", { GATEHOUSE_SECRET: "short" }, /GATEHOUSE_SECRET/],
      ["a database it does not know", { DATABASE_URL: "mysql://localhost/x" }, /DATABASE_URL|mysql/],
    ])("%s", async (_, change, words) => {
      const started = startWeb(environment(change), await freePort());
      await expect(started).rejects.toThrow(words);
      await expect(started).rejects.toThrow(/ended with [1-9]/);
    });
  });

describe("behind a TLS proxy, with an https issuer", () => {
  const issuer = "https://gate.example";
  let origin: string;
  let server: Running;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const env = environment({
      GATEHOUSE_ISSUER: issuer,
      GATEHOUSE_ADMIN_URL: "https://console.example",
      GATEHOUSE_EMAIL_SIGN_IN: "off", // there is no mail on https
      HOST: "127.0.0.1",
    });
    await apply(fixture(), folder, env);
    server = await startWeb(env, port);
  });
  afterAll(async () => {
    await server.stop();
  });

  test("SE-02 MD-02 every URL comes from configuration", async () => {
    const answer = await send(origin, "/.well-known/oauth-authorization-server");
    expect(json(answer)["issuer"]).toBe(issuer);
    expect(answer.text).not.toContain("localhost");
    const api = await send(origin, "/api/resource");
    expect(api.headers.get("www-authenticate")).toContain(`${issuer}/.well-known/oauth-protected-resource/api`);
  });

  test("SE-01 HSTS", async () => {
    expect((await send(origin, "/sign-in")).headers.get("strict-transport-security")).toMatch(/max-age=\d{7,}/);
  });

  test("N17 SE-08 cookies carry the __Host- prefix and Secure, and the flow answers with the configured iss", async () => {
    const agent = newAgent(origin);
    const signInPage = await agent.open(authorizePath(CLIENTS.web));
    const answer = await agent.post(signInPage, {
      fields: { Email: emailOf("authorize"), Password: PASSWORD },
      button: "Sign in",
      headers: { origin: issuer },
    });
    const line = answer.setCookies.find((one) => one.startsWith("__Host-gatehouse_session=")) ?? "";
    for (const attribute of ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"]) expect(line).toContain(attribute);

    const consent = await agent.follow(answer);
    const { params } = callback(await agent.submit(consent, { button: "Allow", headers: { origin: issuer } }));
    expect(params.get("iss")).toBe(issuer);
  });

  test("SE-09 the internal address behind the proxy is a foreign Origin", async () => {
    const agent = newAgent(origin);
    const page = await agent.open("/sign-in");
    const headers = { "sec-fetch-site": undefined, origin };
    const answer = await agent.post(page, { fields: { Email: emailOf("authorize"), Password: PASSWORD }, button: "Sign in", headers });
    expect(answer.status).toBe(403);
  });
});

test("it stops cleanly", async () => {
  const server = await startWeb(environment({}), await freePort());
  await server.stop();
  expect(server.output()).not.toMatch(/error/i);
});
