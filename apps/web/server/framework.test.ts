import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtPages } from "./framework.ts";
import { closeAll, listen } from "./listen.ts";
import { mountedListener } from "./listener.ts";
import { patternOf } from "./pattern.ts";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-framework-"));
const built = (routes: Record<string, string>) => {
  mkdirSync(join(folder, ".next"), { recursive: true });
  writeFileSync(join(folder, ".next/app-path-routes-manifest.json"), JSON.stringify(routes));
  return builtPages(folder);
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the pages of a built tree", () => {
  test("are none where every route is a handler: the framework need not be loaded", () => {
    expect(built({ "/token/route": "/token", "/_not-found/page": "/_not-found", "/_global-error/page": "/_global-error" })).toEqual([]);
  });

  test("are what a team adds as page.tsx, groups and dynamic segments included", () => {
    const pages = built({ "/token/route": "/token", "/(shop)/orders/[id]/page": "/orders/[id]" });
    expect(pages.map((page) => [page.test("/orders/7"), page.test("/orders"), page.test("/token")])).toEqual([[true, false, false]]);
  });
});

test.each([
  ["/a/[one]", "/a/b", true],
  ["/a/[one]", "/a/b/c", false],
  ["/a/[...rest]", "/a/b/c", true],
  ["/a/[...rest]", "/a", false],
  ["/a/[[...rest]]", "/a", true],
  ["/.well-known/x", "/xwell-known/x", false],
])("%s covers %s: %s", (path, pathname, covers) => {
  expect(patternOf(path).test(pathname)).toBe(covers);
});

describe("D3 with a page of the team's own", () => {
  let origin = "";
  let servers: Awaited<ReturnType<typeof listen>> = [];

  beforeAll(async () => {
    const env = { issuer: "https://gate.example", trustProxy: false } as Parameters<typeof mountedListener>[0]["env"];
    const framework = {
      listener: (_: unknown, outgoing: { end(text: string): unknown }) => void outgoing.end("rendered by the framework"),
      serves: (pathname: string) => pathname === "/orders" || pathname.startsWith("/_next/"),
    };
    servers = await listen(mountedListener({ env }, new Map(), framework), ["127.0.0.1"], 0);
    origin = `http://127.0.0.1:${(servers[0]?.address() as AddressInfo | undefined)?.port}`;
  });
  afterAll(() => closeAll(servers));

  test.each(["/orders", "/_next/static/chunk.js"])("%s goes to the framework, with the headers of every answer", async (path) => {
    const answer = await fetch(origin + path);
    expect([await answer.text(), answer.headers.get("strict-transport-security")]).toEqual([
      "rendered by the framework",
      expect.stringContaining("max-age"),
    ]);
  });

  test.each(["//orders", "/%6frders%0a", "/orders/..%2f"])("a path with two readings does not: %s", async (path) => {
    expect(await (await fetch(origin + path)).text()).not.toContain("rendered by the framework");
  });
});
