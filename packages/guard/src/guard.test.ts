import { describe, expect, test } from "vitest";
import { createGuard } from "./guard.ts";
import { createRouteMatcher } from "./route-matcher.ts";

describe("createGuard", () => {
  const request = (path: string, headers: Record<string, string> = {}) =>
    new Request(`http://gate.example${path}`, { headers });
  const guard = (session: string | undefined, reads: { count: number } = { count: 0 }) =>
    createGuard<string>(
      async (auth, _, path) => {
        if (path.startsWith("/page"))
          await auth.protect(() => new Response(null, { status: 303, headers: { Location: "/sign-in" } }));
        if (path.startsWith("/api/protected")) {
          const active = await auth.protect();
          return (await auth.session()) === active ? undefined : new Response("two sessions", { status: 500 });
        }
        return undefined;
      },
      {
        readSession: async () => {
          reads.count += 1;
          return session;
        },
        skip: ["/skipped"],
      },
    );

  test("SD-01 without a session the response is 401 as JSON, not cached, with a challenge", async () => {
    const response = await guard(undefined)(request("/api/protected"));
    expect(response?.status).toBe(401);
    expect(response?.headers.get("content-type")).toBe("application/json");
    expect(response?.headers.get("cache-control")).toBe("no-store");
    expect(response?.headers.get("www-authenticate")).toMatch(/^Cookie /);
    expect(await response?.json()).toMatchObject({ error: "unauthenticated" });
  });

  test("with a session the request passes, and the session is read once", async () => {
    const reads = { count: 0 };
    expect(await guard("ada", reads)(request("/api/protected"))).toBeUndefined();
    expect(reads.count).toBe(1);
  });

  test("an unprotected route does not read the session", async () => {
    const reads = { count: 0 };
    expect(await guard("ada", reads)(request("/api/resource"))).toBeUndefined();
    expect(await guard("ada", reads)(request("/skipped"))).toBeUndefined();
    expect(reads.count).toBe(0);
  });

  test("a page responds with its own redirect", async () => {
    const response = await guard(undefined)(request("/page"));
    expect([response?.status, response?.headers.get("location")]).toEqual([303, "/sign-in"]);
  });

  test.each(["/api/%zz", "/api/protected%0a", "/skipped%00"])(
    "SD-02 the malformed path %s is 400, also with a session",
    async (path) => {
      expect((await guard("ada")(request(path)))?.status).toBe(400);
    },
  );

  test.each(["middleware", "middleware:middleware:middleware:middleware:middleware", "proxy", "src/middleware"])(
    "SD-02 N39 x-middleware-subrequest: %s changes nothing",
    async (value) => {
      expect((await guard(undefined)(request("/api/protected", { "x-middleware-subrequest": value })))?.status).toBe(
        401,
      );
    },
  );

  test.each(["/orders/7", "/orders/7%2Fitems", "/orders/7%2fitems%2F8", "/orders%2F7", "/ORDERS/%37"])(
    "SD-02 %s is protected, whether a router decodes before it splits or after",
    async (path) => {
      const isProtected = createRouteMatcher(["/orders/:id"]);
      const guarded = createGuard<string>(
        async (auth, _, at) => {
          if (isProtected(at)) await auth.protect();
          return undefined;
        },
        { readSession: async () => undefined },
      );
      expect((await guarded(request(path)))?.status).toBe(401);
    },
  );

  test("SD-02 with default deny, both readings of a path must be public", async () => {
    const isPublic = createRouteMatcher(["/files/:name"]);
    const guarded = createGuard<string>(
      async (auth, _, at) => {
        if (!isPublic(at)) await auth.protect();
        return undefined;
      },
      { readSession: async () => undefined },
    );
    expect(await guarded(request("/files/a"))).toBeUndefined();
    expect((await guarded(request("/files/a%2Fb")))?.status).toBe(401);
  });

  test("an error in the callback does not let the request pass", async () => {
    const failing = createGuard<string>(
      () => {
        throw new Error("store down");
      },
      { readSession: async () => "ada" },
    );
    await expect(failing(request("/api/protected"))).rejects.toThrow("store down");
  });
});
