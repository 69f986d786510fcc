import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callback } from "../harness/flow.ts";
import { startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import type { Running } from "../harness/processes.ts";

describe("behind a TLS proxy, with an https issuer", () => {
  const issuer = "https://gate.example";
  let own: Installation;
  let origin: string;
  let server: Running;
  beforeAll(async () => {
    own = await newInstallation("sqlite", {
      GATEHOUSE_ISSUER: issuer,
      GATEHOUSE_ADMIN_URL: "https://console.example",
      GATEHOUSE_EMAIL_SIGN_IN: "off", // there is no mail on https
      GATEHOUSE_DRAIN_SECONDS: "0",
      HOST: "127.0.0.1",
    });
    origin = own.issuer;
    server = await startWeb(own.env, own.port);
  });
  afterAll(async () => {
    await server?.crash();
    await own?.remove();
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
    const answer = await agent.post(page, {
      fields: { Email: emailOf("authorize"), Password: PASSWORD },
      button: "Sign in",
      headers,
    });
    expect(answer.status).toBe(403);
  });

  test("it stops cleanly", async () => {
    const SIGTERM = 128 + 15; // what Next's own server exits with
    await server.stop();
    const code = process.env["GATEHOUSE_TEST_MOUNT"] === "next" ? SIGTERM : 0;
    expect([server.child.exitCode, server.output()]).toEqual([code, expect.not.stringMatching(/"level":[56]0/)]);
  });

  // Every message is held by packages/installation/src/settings/settings.test.ts. A bare `next start` loads the
  // application with the first request, so it cannot fail at start.
  test.skipIf(process.env["GATEHOUSE_TEST_MOUNT"] === "next")(
    "SE-01 invalid settings stop the start with one clear message that names each of them",
    async () => {
      const started = startWeb(
        { ...own.env, GATEHOUSE_ISSUER: "http://gate.example", GATEHOUSE_SECRET: "short" },
        own.port,
      );
      await expect(started).rejects.toThrow(/GATEHOUSE_ISSUER.*https.*GATEHOUSE_SECRET/s);
      await expect(started).rejects.toThrow(/ended with [1-9]/);
    },
  );
});
