import { request } from "node:https";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OwnTls, startWithOwnTls } from "../harness/own-tls.ts";

// The parts are tested in packages/runtime/src/tls.test.ts: this is the built server.
const onNext = process.env["GATEHOUSE_TEST_MOUNT"] === "next";

describe.skipIf(onNext)("OP-95 a server with its own certificate", () => {
  let server: OwnTls;
  beforeAll(async () => {
    server = await startWithOwnTls();
  });
  afterAll(() => server?.stop());

  test("OP-95 serves its pages by https, with HSTS, and redirects http to its issuer", async () => {
    const { headers, status } = await new Promise<{ headers: NodeJS.Dict<string | string[]>; status?: number }>(
      (resolve, reject) =>
        request(
          `${server.issuer}/sign-in`,
          { ca: server.certificate, headers: { accept: "text/html" } },
          (incoming) => {
            incoming.resume();
            resolve({ headers: incoming.headers, status: incoming.statusCode ?? 0 });
          },
        )
          .on("error", reject)
          .end(),
    );
    expect(status).toBe(200);
    expect(headers["strict-transport-security"]).toContain("max-age=31536000");
    expect(String(headers["set-cookie"])).toMatch(/^__Host-.*Secure/);

    const plain = server.issuer.replace("https:", "http:");
    const redirected = await fetch(`${plain}/sign-in?a=b`, { redirect: "manual" });
    expect([redirected.status, redirected.headers.get("location")]).toEqual([308, `${server.issuer}/sign-in?a=b`]);
    expect((await fetch(`${plain}/token`, { method: "POST", body: "a=b" })).status).toBe(403);
    expect((await fetch(`${plain}/readyz`)).status).toBe(200);
  });

  test("OP-95 the console serves https by the same certificate, and redirects http to its own address", async () => {
    const address = await server.startConsole();
    const answer = await new Promise<{ status: number | undefined; protocol: string | null }>((resolve, reject) =>
      request(`${address}/healthz`, { ca: server.certificate }, (incoming) => {
        incoming.resume();
        resolve({ status: incoming.statusCode, protocol: (incoming.socket as TLSSocket).getProtocol() });
      })
        .on("error", reject)
        .end(),
    );
    expect(answer).toEqual({ status: 200, protocol: "TLSv1.3" });
    const plain = address.replace("https:", "http:");
    const redirected = await fetch(`${plain}/clients?a=b`, { redirect: "manual" });
    expect([redirected.status, redirected.headers.get("location")]).toEqual([308, `${address}/clients?a=b`]);
    expect((await fetch(`${plain}/auth/sign-out`, { method: "POST" })).status).toBe(403);
  });
});
