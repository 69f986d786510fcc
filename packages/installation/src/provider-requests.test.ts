import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createOutbound } from "@gatehouse/auth";
import { afterEach, describe, expect, test } from "vitest";
import { createProviderRequests } from "./provider-requests.ts";

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function provider(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  running.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/payments/tr_1`;
}

const requests = createProviderRequests(createOutbound({ allowLoopback: true }).fetchBytes);

describe("requests to payment providers", () => {
  test("an object is fetched with the API key, which no other header or URL contains", async () => {
    const url = await provider(({ headers, url: path }, response) => response.end(JSON.stringify({ headers, path })));
    const { headers, path } = (await requests.fetchBack(url, "test_key")) as {
      headers: Record<string, string>;
      path: string;
    };
    expect(headers["authorization"]).toBe("Bearer test_key");
    expect(JSON.stringify({ ...headers, authorization: "", path })).not.toContain("test_key");
  });

  test("an unknown object is undefined", async () => {
    expect(
      await requests.fetchBack(await provider((_, response) => response.writeHead(404).end("{}")), "k"),
    ).toBeUndefined();
  });

  test.each([301, 401, 403, 429, 500])(
    "an object with status %i is a failure, so that the delivery is sent again",
    async (status) => {
      const url = await provider((_, response) => response.writeHead(status, { location: "/elsewhere" }).end("{}"));
      await expect(requests.fetchBack(url, "secret_key")).rejects.toThrow(`status ${status}`);
    },
  );

  test("an object that is not JSON is a failure", async () => {
    await expect(requests.fetchBack(await provider((_, response) => response.end("<html>")), "k")).rejects.toThrow(
      SyntaxError,
    );
  });

  test("a certificate is returned as sent, and only with status 200", async () => {
    const der = Buffer.from([0x30, 0x82]);
    expect(await requests.fetchCertificate(await provider((_, response) => response.end(der)))).toEqual(der);
    const moved = await provider((_, response) => response.writeHead(302, { location: "/elsewhere" }).end(der));
    await expect(requests.fetchCertificate(moved)).rejects.toThrow("status 302");
  });

  test("a private address is never asked", async () => {
    const guarded = createProviderRequests(createOutbound({ allowLoopback: false }).fetchBytes);
    await expect(guarded.fetchCertificate("https://127.0.0.1/cert")).rejects.toMatchObject({
      problem: "address_not_public",
    });
    await expect(guarded.fetchBack("http://api.example/x", "k")).rejects.toMatchObject({ problem: "url_not_allowed" });
  });
});
