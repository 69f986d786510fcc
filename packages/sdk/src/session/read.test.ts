import { endSessionById } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { NAVIGATION, SAME_ORIGIN } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";
import type { GatehouseOptions, SessionStore } from "../options.ts";
import type { Reading } from "./reading.ts";

const HANDLER = { canSetCookies: true };
const PAGE = { canSetCookies: false };

async function signedIn(options: GatehouseOptions = {}) {
  const it = product(options);
  const ada = it.browser();
  await ada.signIn();
  const request = (headers = {}) => ada.request("/orders", { headers });
  const read = (how = HANDLER) => it.core.read(request(), how);
  const keep = ({ setCookies }: Reading) =>
    ada.keep({ headers: new Headers(setCookies.map((line): [string, string] => ["set-cookie", line])) });
  const exchanges = () => (it.server.seen["/token"] ?? 0) - 1;
  const checks = () => (it.server.seen["/introspect"] ?? 0) - 1;
  const endSession = () => endSessionById(it.s.user.id, it.s.session.id, it.s.deps);
  const disable = () => {
    const user = it.s.tables.users.get(it.s.user.id);
    if (user)
      it.s.tables.users.set(user.id, { ...user, disabledAt: it.s.clock.now, accessEpoch: user.accessEpoch + 1 });
  };
  const later = (seconds: number) => {
    it.s.clock.now += seconds;
  };
  return { ...it, ada, request, read, keep, exchanges, checks, endSession, disable, later };
}

describe("PK-31 renewing tokens", () => {
  test("nothing is exchanged, and no cookie set, before the last minute", async () => {
    const { read, exchanges, later } = await signedIn();
    later(539);
    expect(await read()).toMatchObject({ kind: "signed_in", setCookies: [] }); // PK-28
    expect(exchanges()).toBe(0);
    later(1);
    const reading = await read();
    expect([reading.kind, reading.setCookies.length, exchanges()]).toEqual(["signed_in", 1, 1]);
  });

  test("a shorter life is renewed in its last tenth", async () => {
    const { s, browser, core, later, server } = await signedIn();
    s.changeClient("shop-web", { options: { accessTokenSeconds: 90 } });
    const eve = browser();
    await eve.signIn();
    later(80);
    await core.read(eve.request("/"), HANDLER);
    expect(server.seen["/token"]).toBe(2);
    later(1);
    await core.read(eve.request("/"), HANDLER);
    expect(server.seen["/token"]).toBe(3);
  });

  test.each([false, true])(
    "fifty requests at once are one exchange, rotation: %s; late ones share it for 25 s",
    async (rotation) => {
      const { read, exchanges, later, keep } = await signedIn({ rotation });
      later(545);
      const readings = await Promise.all(Array.from({ length: 50 }, () => read()));
      later(24);
      readings.push(await read());
      expect(new Set(readings.map((one) => (one.kind === "signed_in" ? one.accessToken : one.kind))).size).toBe(1);
      expect(exchanges()).toBe(1);
      keep(readings[0] as Reading);
      later(590);
      expect((await read()).kind).toBe("signed_in");
      expect(exchanges()).toBe(2);
    },
  );

  test("a page renews in memory: it serves, and sets no cookie", async () => {
    const { read, exchanges, later } = await signedIn();
    later(700);
    expect(await read(PAGE)).toMatchObject({ kind: "signed_in", setCookies: [] });
    expect(await read(PAGE)).toMatchObject({ kind: "signed_in", setCookies: [] });
    expect(exchanges()).toBe(1);
    expect((await read()).setCookies).toHaveLength(1);
  });

  test("with rotation a page never renews, but sees what the proxy of its process renewed", async () => {
    const { read, exchanges, later } = await signedIn({ rotation: true });
    later(545);
    expect((await read(PAGE)).kind).toBe("signed_in");
    later(60);
    expect(await read(PAGE)).toEqual({ kind: "signed_out", setCookies: [] });
    expect(exchanges()).toBe(0);
    await read();
    expect((await read(PAGE)).kind).toBe("signed_in");
    expect(exchanges()).toBe(1);
  });

  test("N82 rotation: a lost response is repeated within the window; later the session ends once, and signs in again", async () => {
    const { read, exchanges, later, keep, ada } = await signedIn({ rotation: true });
    later(545);
    await read(); // its response is lost
    later(26);
    expect((await read()).kind).toBe("signed_in"); // the server repeats its answer
    expect(exchanges()).toBe(2);

    later(60);
    const late = await read();
    expect([late.kind, late.setCookies.length]).toEqual(["signed_out", 1]);
    keep(late);
    expect((await ada.signIn("?return_to=/orders")).status).toBe(303);
    expect((await read()).kind).toBe("signed_in");
  });

  test("tokens of another user end the session", async () => {
    const { read, later, server, s } = await signedIn();
    const other = product();
    other.s.clock.now = s.clock.now;
    later(545);
    server.before = async (request) => {
      if (!request.url.endsWith("/token")) return undefined;
      const claims = {
        iss: "https://gate.example",
        sub: "user-eve",
        aud: "shop-web",
        iat: s.clock.now,
        exp: s.clock.now + 99,
      };
      const { signJwt } = await import("@gatehouse/auth");
      const id_token = await signJwt({ typ: "JWT", claims, algorithm: "ES256" }, s.deps);
      return Response.json({ access_token: "gat_eve", token_type: "Bearer", expires_in: 600, id_token });
    };
    expect((await read()).kind).toBe("signed_out");
  });
});

describe("PK-32 when the session cannot be renewed", () => {
  test("invalid_grant ends the session and clears the cookie", async () => {
    const { read, later, endSession, exchanges } = await signedIn({ check: 60 });
    await endSession();
    later(545);
    const reading = await read();
    expect(reading.kind).toBe("signed_out");
    expect(reading.setCookies).toEqual([
      expect.stringMatching(/_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    expect((await read()).kind).toBe("signed_out");
    expect(exchanges()).toBe(1); // what ended is remembered
  });

  test.each<[string, () => Response | Promise<Response>, number]>([
    ["500", () => new Response("x", { status: 500 }), 5],
    ["503 with Retry-After", () => new Response(null, { status: 503, headers: { "retry-after": "7" } }), 7],
    ["429", () => Response.json({ error: "slow_down" }, { status: 429, headers: { "retry-after": "9" } }), 9],
    ["no connection", () => Promise.reject(new TypeError("fetch failed")), 5],
    ["a time-out", () => Promise.reject(new DOMException("late", "TimeoutError")), 5],
    ["a wrong secret", () => Response.json({ error: "invalid_client" }, { status: 401 }), 5],
    ["an HTML page", () => new Response("<html>", { status: 200, headers: { "content-type": "text/html" } }), 5],
  ])("%s: it serves until its token expires, then 503; nobody is signed out", async (_, answer, wait) => {
    const { read, later, server, errors } = await signedIn({ check: 60 });
    server.before = async () => answer();
    later(545);
    expect(await read()).toMatchObject({ kind: "signed_in", setCookies: [] });
    later(60);
    expect(await read()).toEqual({ kind: "unavailable", retryAfterSeconds: wait, setCookies: [] });
    expect(errors.length).toBeGreaterThan(0);
    for (const { message } of errors) expect(message).not.toMatch(/g[a-z]{2}_/);
    server.before = async () => undefined;
    expect((await read()).kind).toBe("signed_in"); // N97
  });

  test("without a refresh token the session ends with its access token", async () => {
    const { read, later } = await signedIn({ scope: "openid api:read" });
    later(599);
    expect((await read()).kind).toBe("signed_in");
    later(1);
    expect((await read()).kind).toBe("signed_out");
  });
});

describe("PK-33 checking that the session is active", () => {
  test("at most every ten seconds per process, whatever the number of requests", async () => {
    const { read, checks, later } = await signedIn();
    for (let second = 0; second < 30; second++) {
      later(1);
      await Promise.all([read(), read(), read()]);
    }
    expect(checks()).toBe(3);
  });

  test.each(["endSession", "disable"] as const)("N84 %s: refused within ten seconds", async (how) => {
    const it = await signedIn();
    it.later(5);
    await it[how]();
    it.later(5);
    const reading = await it.read();
    expect([reading.kind, reading.setCookies.length]).toEqual(["signed_out", 1]);
  });

  test("N84 with check: 0, or live, at the next request", async () => {
    const every = await signedIn({ check: 0 });
    expect((await every.read()).kind).toBe("signed_in");
    await every.endSession();
    expect((await every.read()).kind).toBe("signed_out");

    const live = await signedIn({ check: 60 });
    await live.endSession();
    expect((await live.read()).kind).toBe("signed_in");
    expect(await live.core.protect(live.request(), { live: true }, HANDLER)).toMatchObject({
      ok: false,
      refusal: { reason: "signed_out" },
    });
  });

  test("N97 the server cannot be asked: it serves, but not where the answer has to be live", async () => {
    const { core, read, later, request, server } = await signedIn();
    later(11);
    server.isDown = true;
    expect((await read()).kind).toBe("signed_in");
    expect(await core.protect(request(), { live: true }, HANDLER)).toMatchObject({
      ok: false,
      refusal: { reason: "unavailable" },
    });
    server.isDown = false;
    later(3);
    expect(await core.protect(request(), { live: true }, HANDLER)).toMatchObject({ ok: true });
  });

  test.each([
    ["a check", 11],
    ["a renewal", 545],
  ])("a server that does not answer %s is left alone for two seconds", async (_, seconds) => {
    const { read, later, server } = await signedIn();
    later(seconds);
    let asked = 0;
    server.before = async () => {
      asked += 1;
      return new Response(null, { status: 503 });
    };
    for (let request = 0; request < 10; request++) expect((await read()).kind).toBe("signed_in");
    expect(asked).toBe(1);
    later(2);
    await read();
    expect(asked).toBe(2);
  });

  test("a connection that breaks once is no outage; a code is never sent twice", async () => {
    const { read, later, server, browser } = await signedIn();
    let broken = 0;
    server.before = async () => {
      broken += 1;
      if (broken % 2 === 1) throw new TypeError("fetch failed");
      return undefined;
    };
    later(545);
    expect(await read()).toMatchObject({ kind: "signed_in", setCookies: [expect.any(String)] });
    expect(broken).toBe(2);

    const eve = browser();
    const url = await eve.visitServer(await eve.beginSignIn());
    let codes = 0;
    server.before = async (request) => {
      if (!request.url.endsWith("/token")) return undefined;
      codes += 1;
      throw new TypeError("fetch failed");
    };
    expect([(await eve.open(url)).status, codes]).toEqual([503, 1]);
  });

  test("a clock that is set back freezes no check", async () => {
    const { read, later, endSession } = await signedIn();
    later(500);
    await read();
    later(-400);
    await endSession();
    expect((await read()).kind).toBe("signed_out");
  });

  test("an access token that was revoked alone is replaced: the refresh token decides", async () => {
    const { read, later, s, exchanges } = await signedIn();
    for (const [hash, token] of s.tables.accessTokens)
      s.tables.accessTokens.set(hash, { ...token, revokedAt: s.clock.now });
    later(10);
    const reading = await read();
    expect([reading.kind, reading.setCookies.length, exchanges()]).toEqual(["signed_in", 1, 1]);
  });

  test("a token that is another user's by now ends the session", async () => {
    const { read, later, server } = await signedIn();
    later(10);
    const answer = { active: true, sub: "user-eve", environment: "production" };
    server.before = async ({ url }) => (url.endsWith("/introspect") ? Response.json(answer) : undefined);
    expect((await read()).kind).toBe("signed_out");
  });

  test("PK-36 tokens of another environment are no session", async () => {
    const { read, later, s, server } = await signedIn();
    s.changeClient("shop-web", { environment: "development" });
    for (const [hash, token] of s.tables.accessTokens)
      s.tables.accessTokens.set(hash, { ...token, environment: "development" });
    later(10);
    expect((await read()).kind).toBe("signed_out");
    expect(server.seen["/token"]).toBe(1);
    const { ada, options } = await signedIn();
    const { createCore } = await import("../core.ts");
    const staging = createCore({ ...options, environment: "staging" });
    expect((await staging.read(ada.request("/"), HANDLER)).kind).toBe("signed_out");
  });
});

describe("PK-54 unsafe requests", () => {
  test.each<[string, Record<string, string>, Reading["kind"]]>([
    ["a page of this app", SAME_ORIGIN, "signed_in"],
    ["an older browser with this origin", { origin: "https://shop.example" }, "signed_in"],
    ["a sibling host", { "sec-fetch-site": "same-site" }, "cross_origin"],
    ["another site", { "sec-fetch-site": "cross-site" }, "cross_origin"],
    ["the address bar", { "sec-fetch-site": "none" }, "cross_origin"],
    ["another port", { origin: "https://shop.example:8443" }, "cross_origin"],
    ["an opaque origin", { origin: "null" }, "cross_origin"],
    ["nobody knows whom", {}, "cross_origin"],
  ])("N92 from %s", async (_, headers, kind) => {
    const { ada, core } = await signedIn();
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect((await core.read(ada.request("/orders", { method, headers }), HANDLER)).kind).toBe(kind);
    expect((await core.read(ada.request("/orders", { headers: NAVIGATION }), HANDLER)).kind).toBe("signed_in");
  });
});

describe("N83 signing out while tokens are renewed", () => {
  test("in the same process the late answer revives nothing", async () => {
    const { read, later, server, ada, request, core } = await signedIn();
    later(545);
    let answer = () => {};
    const old = request();
    let hanging: Promise<Reading> | undefined;
    await new Promise<void>((arrived) => {
      server.before = async ({ url }) => {
        if (!url.endsWith("/token")) return undefined;
        arrived();
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return undefined;
      };
      hanging = read();
    });
    expect((await ada.post("/auth/sign-out")).status).toBe(303);
    answer();
    expect(await hanging).toEqual({ kind: "signed_out", setCookies: [] });
    expect(await core.read(new Request(old), HANDLER)).toEqual({ kind: "signed_out", setCookies: [] });
  });

  test("in another process the revived cookie is refused within ten seconds", async () => {
    const { ada, request, otherProcess, later, keep, core } = await signedIn();
    await core.settings();
    const other = await otherProcess();
    later(545);
    const renewed = await other.read(request(), HANDLER);
    await ada.post("/auth/sign-out");
    keep(renewed); // the other process answers late
    later(10);
    expect((await other.read(request(), HANDLER)).kind).toBe("signed_out");
    expect((await core.read(request(), HANDLER)).kind).toBe("signed_out");
  });

  test("a late renewal of the session before does not replace the one after signing in again", async () => {
    const { ada, read, request, later, core } = await signedIn();
    later(545);
    const old = request();
    await ada.signIn();
    expect(await core.read(old, HANDLER)).toMatchObject({ kind: "signed_in", setCookies: [] });
    expect((await read()).kind).toBe("signed_in");
  });
});

describe("N88 a cookie that is not whole", () => {
  test("is no session, and no error", async () => {
    const { ada, core } = await signedIn();
    const [[name = "", value = ""] = []] = [...ada.cookies].filter(([one]) => one.endsWith("_session"));
    const values = [
      "",
      "x",
      value.slice(1),
      `${value}x`,
      value.replace(/.$/, "!"),
      `2.AAAAAAAA.${value}`,
      `4.AAAAAAAA.x`,
      "%zz",
    ];
    for (const forged of values) {
      const request = new Request("https://shop.example/", { headers: { cookie: `${name}=${forged}` } });
      expect(await core.read(request, HANDLER)).toEqual({ kind: "signed_out", setCookies: [] });
    }
    const many = Array.from({ length: 100 }, (_, at) => `${name}.${at}=4.AAAAAAAA.${value}`).join("; ");
    const request = new Request("https://shop.example/", { headers: { cookie: many } });
    expect((await core.read(request, HANDLER)).kind).toBe("signed_out");
  });

  test("of another client opens nothing", async () => {
    const { ada, options } = await signedIn();
    const { createCore } = await import("../core.ts");
    const other = createCore({ ...options, clientId: "other-web" });
    expect((await other.read(ada.request("/"), HANDLER)).kind).toBe("signed_out");
  });
});

describe("PK-28 a store", () => {
  function memory() {
    const entries = new Map<string, { value: string; sid: string | null }>();
    const store: SessionStore = {
      get: async (id) => entries.get(id)?.value,
      set: async (id, value, { sid }) => void entries.set(id, { value, sid }),
      delete: async (id) => void entries.delete(id),
      deleteBySid: async (sid) => {
        for (const [id, entry] of entries) if (entry.sid === sid) entries.delete(id);
      },
    };
    return { entries, store };
  }

  test("keeps sealed sessions under a hash; the cookie is a random id and stays the same", async () => {
    const { entries, store } = memory();
    const { ada, read, later, s } = await signedIn({ store });
    const [[, cookie = ""] = []] = [...ada.cookies].filter(([name]) => name.endsWith("_session"));
    expect(cookie).toMatch(/^[\w-]{43}$/);
    const [[id, entry] = []] = [...entries];
    expect([id === cookie, entry?.sid]).toEqual([false, s.session.id]);
    expect(entry?.value).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
    later(545);
    expect(await read(PAGE)).toMatchObject({ kind: "signed_in", setCookies: [] });
    expect(entries.get(id ?? "")?.value).not.toBe(entry?.value);
    await ada.post("/auth/sign-out");
    expect(entries.size).toBe(0);
  });

  test("N84 PK-34 a notice to one process ends the session in all, at the next request", async () => {
    const { store, entries } = memory();
    const { request, otherProcess, core } = await signedIn({ store });
    const other = await otherProcess();
    expect((await other.read(request(), HANDLER)).kind).toBe("signed_in");
    await store.deleteBySid([...entries.values()][0]?.sid ?? "");
    expect((await other.read(request(), HANDLER)).kind).toBe("signed_out");
    expect((await core.read(request(), HANDLER)).kind).toBe("signed_out");
  });

  test("PK-32 a store that fails signs nobody out", async () => {
    const { store } = memory();
    const { read } = await signedIn({ store });
    store.get = () => Promise.reject(new Error("connection lost"));
    expect(await read()).toMatchObject({ kind: "unavailable", setCookies: [] });
  });
});
