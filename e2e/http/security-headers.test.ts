import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, inject, test } from "vitest";
import { type Answer, send } from "../harness/http.ts";
import { ROUTES } from "../harness/policy-table.ts";
import { expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const onNext = process.env["GATEHOUSE_TEST_MOUNT"] === "next"; // Node answers what Next is never asked
const PAGE = { accept: "text/html" };
/** In place of a parameter of a route. */
const fill = (path: string) => path.replace(/\[[^\]]*\]+/g, "x");

/** Requests of each kind of answer: a page, an error for a program, and what a route refuses. */
const REQUESTS = [
  { method: "GET", headers: PAGE },
  { method: "GET" },
  { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=b" },
  { method: "OPTIONS", headers: { origin: "https://spa.example", "access-control-request-method": "POST" } },
  { method: "DELETE", headers: PAGE },
] as const;

function expectBare({ headers, url }: Answer): void {
  expect([url, headers.get("x-content-type-options")]).toEqual([url, "nosniff"]);
  for (const name of ["server", "x-powered-by", "access-control-allow-credentials"])
    expect(headers.get(name)).toBeNull();
}

describe("OP-96 the server's security headers", () => {
  test("OP-96 are on every answer of every route, the errors too", async () => {
    const answers = ROUTES.flatMap(({ path }) => REQUESTS.map((request) => send(issuer, fill(path), request)));
    for (const answer of await Promise.all(answers)) {
      expectBare(answer);
      const type = answer.headers.get("content-type") ?? "";
      if (type.startsWith("text/html")) expectPageHeaders(answer);
      if (answer.status >= 400) expect(answer.headers.get("cache-control")).toContain("no-store");
    }
  });

  test.skipIf(onNext).each([
    ["400", "nonsense\r\n\r\n"],
    ["400", "GET / HTTP/1.1\r\n\r\n"],
    ["431", `GET /sign-in HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${"X-A: b\r\n".repeat(101)}\r\n`],
    ["431", `GET /sign-in HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-A: ${"b".repeat(17_000)}\r\n\r\n`],
  ])("OP-96 are on a %s that no route gives", async (status, request) => {
    const { hostname, port } = new URL(issuer);
    const socket = connect(Number(port), hostname);
    socket.write(request);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toContain("x-content-type-options: nosniff");
  });
});
