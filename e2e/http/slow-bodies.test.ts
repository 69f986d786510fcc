import { connect } from "node:net";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { signIn } from "../harness/flow.ts";

// A client that never finishes its body gets an error after fifteen seconds. All endpoints are tried in parallel.
const issuer = inject("issuer");
const { hostname, port } = new URL(issuer);
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

let cookie: string;
beforeAll(async () => {
  const { cookies } = await signIn(issuer, "bearer");
  cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
});

/** Sends the head and the first bytes of a request, and returns the complete response. */
function stall(path: string, type: string, length: string, start: string): Promise<string> {
  const own = [`Host: ${hostname}:${port}`, `Origin: ${issuer}`, `Cookie: ${cookie}`, "X-Forwarded-For: 198.51.100.77"];
  const head = [`POST ${path} HTTP/1.1`, ...own, `Content-Type: ${type}`, length];
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      answer += chunk.toString();
      // A complete JSON body or page.
      if (/\r\n\r\n[\s\S]*(\}|<\/html>)/.test(answer)) socket.destroy();
    });
    socket.on("close", () => resolve(answer));
    socket.write(`${head.join("\r\n")}\r\n\r\n${start}`);
  });
}

const ANNOUNCED = ["Content-Length: 40", "a=b"] as const;
const IN_CHUNKS = ["Transfer-Encoding: chunked", "3\r\na=b\r\n"] as const;

describe("TK-10 a body that never ends is rejected", () => {
  test.concurrent.each([
    ["/token", FORM, ANNOUNCED, 408],
    ["/token", FORM, IN_CHUNKS, 408],
    ["/introspect", FORM, ANNOUNCED, 408],
    ["/authorize", FORM, ANNOUNCED, 408],
    ["/sign-in", FORM, ANNOUNCED, 408],
    ["/sign-up", FORM, IN_CHUNKS, 408],
    ["/api/webhooks/stripe", JSON_TYPE, ANNOUNCED, 400],
    ["/api/webhooks/stripe", JSON_TYPE, IN_CHUNKS, 400],
    ["/trpc/me.revokeApp", JSON_TYPE, ANNOUNCED, 408],
  ] as const)(
    "%s, %s",
    async (path, type, [length, start], status) => {
      const answer = await stall(path, type, length, start);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toContain("took longer than 15 s");
    },
    60_000,
  );
});
