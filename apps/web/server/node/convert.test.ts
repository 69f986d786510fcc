import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toRequest } from "./convert.ts";
import { LightRequest } from "./light/request.ts";

const ORIGIN = "https://gate.example";
const seen: { standard: Request; light: LightRequest }[] = [];
const server = createServer({ joinDuplicateHeaders: true }, (incoming, outgoing) => {
  seen.push({ standard: toRequest(incoming, ORIGIN), light: new LightRequest(incoming, ORIGIN) });
  outgoing.end();
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** What a handler sees of a request sent over a real connection. */
async function arrive(
  as: "standard" | "light",
  path: string,
  headers: Record<string, string | string[]>,
): Promise<Request> {
  await new Promise<IncomingMessage>((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    send({ port, host: "127.0.0.1", path, headers }, resolve).on("error", reject).end();
  }).then((answer) => answer.resume());
  const request = seen.at(-1);
  if (!request) throw new Error("nothing arrived");
  return request[as] as Request;
}

describe.each(["standard", "light"] as const)("a request as the handlers see it, %s", (as) => {
  test.each([
    ["Host", { host: "evil.test" }],
    ["X-Forwarded-Host", { "x-forwarded-host": "evil.test", "x-forwarded-proto": "http" }],
    ["Forwarded", { forwarded: "host=evil.test;proto=http" }],
  ])("NX-04 SE-02 its origin is the issuer's, whatever %s says", async (_, headers) => {
    expect((await arrive(as, "/token?a=b", headers)).url).toBe(`${ORIGIN}/token?a=b`);
  });

  test("BR-07 two Authorization headers stay two", async () => {
    const request = await arrive(as, "/api/resource", { authorization: ["Bearer a", "Bearer b"] });
    expect(request.headers.get("authorization")).toBe("Bearer a, Bearer b");
  });
});
