import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from "@trpc/client";
import { initTRPC, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { afterEach, describe, expect, expectTypeOf, test, vi } from "vitest";
import { APP, NAVIGATION, SAME_ORIGIN } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";
import type { GatehouseOptions } from "../options.ts";
import type { RequestAuth } from "../request-auth.ts";
import { sessionLink } from "./client.ts";
import { createRequires } from "./index.ts";

/** An app as create-t3-app makes it: its context has the headers of the request, and more. */
function trpcApp(change: GatehouseOptions = {}) {
  const it = product({ resource: "https://gate.example/api", ...change });
  Object.assign(it.s.deps.config, { tokenFormat: "jwt", tokenAlgorithm: "ES256" });
  const requires = createRequires(it.options);
  const t = initTRPC.context<{ headers: Headers; database: string }>().meta<{ about: string }>().create();
  const parsed: unknown[] = [];
  const input = (value: unknown) => {
    parsed.push(value);
    return String(value);
  };
  const signedIn = t.procedure.use(requires());
  const router = t.router({
    open: t.procedure.query(({ ctx }) => ctx.database),
    me: signedIn.query(({ ctx }) => {
      expectTypeOf(ctx.auth).toEqualTypeOf<RequestAuth>();
      expectTypeOf(ctx.database).toEqualTypeOf<string>();
      return `${ctx.auth.userId} of ${ctx.database}`;
    }),
    rename: signedIn.input(input).mutation(({ input, ctx }) => `${ctx.auth.userId} is ${input}`),
    admin: t.procedure.use(requires({ scope: "admin" })).query(() => "admin"),
    payout: signedIn.use(requires({ maxAge: 30 })).query(() => "paid"),
    stock: t.procedure.use(requires({ accept: "any", scope: "api:read" })).query(({ ctx }) => ctx.auth.via),
    unauthorized: t.procedure.query(() => {
      throw new TRPCError({ code: "UNAUTHORIZED", message: "No key for the vault." });
    }),
  });
  const handle = (req: Request) =>
    fetchRequestHandler({
      endpoint: "/api/trpc",
      req,
      router,
      createContext: () => ({ headers: req.headers, database: "shop" }),
    });
  return { ...it, t, router, handle, parsed };
}
type App = ReturnType<typeof trpcApp>;

async function call({ handle }: App, request: Request) {
  const response = await handle(request);
  const { result, error } = (await response.json()) as {
    result?: { data: unknown };
    error?: { message: string; data: { code: string } };
  };
  return { status: response.status, data: result?.data, message: error?.message, code: error?.data.code };
}

describe("PK-52 requires", () => {
  test("gives procedures their caller, and keeps the context of the app", async () => {
    const app = trpcApp();
    const ada = app.browser();
    await ada.signIn();
    expect(await call(app, ada.request("/api/trpc/me"))).toMatchObject({ status: 200, data: "user-ada of shop" });
    expect(await call(app, new Request(`${APP}/api/trpc/open`))).toMatchObject({ data: "shop" });
    const caller = app.t.createCallerFactory(app.router)({ headers: ada.request("/").headers, database: "own" });
    expect(await caller.me()).toBe("user-ada of own");
  });

  test("refuses by the failure table, in the codes of tRPC, before any input is parsed", async () => {
    const app = trpcApp();
    const rename = (headers: Record<string, string>) =>
      new Request(`${APP}/api/trpc/rename`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: '"Eve"',
      });
    expect(await call(app, rename(SAME_ORIGIN))).toMatchObject({
      status: 401,
      code: "UNAUTHORIZED",
      message: "This needs a signed-in user. [gatehouse:signed_out]",
    });
    const ada = app.browser();
    await ada.signIn();
    const cookie = ada.request("/").headers.get("cookie") ?? "";
    const statusOf = async (path: string) => (await call(app, ada.request(`/api/trpc/${path}`))).status;
    expect(await statusOf("admin")).toBe(403);
    expect(await statusOf("payout")).toBe(401);
    // N92 PK-54
    for (const headers of [{}, { "sec-fetch-site": "same-site" }, { origin: `${APP}:8443` }, { origin: "null" }])
      expect((await call(app, rename({ cookie, ...headers } as Record<string, string>))).status).toBe(403);
    expect(app.parsed).toEqual([]);
    expect(await call(app, rename({ cookie, ...SAME_ORIGIN }))).toMatchObject({ data: "user-ada is Eve" });

    app.s.clock.now += 700; // the access token has expired
    app.server.isDown = true;
    expect(await call(app, ada.request("/api/trpc/me"))).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
  });

  test("accepts access tokens where it is told to", async () => {
    const app = trpcApp();
    const ada = app.browser();
    await ada.signIn();
    const reading = await app.core.read(ada.request("/"), { canSetCookies: false });
    const token = reading.kind === "signed_in" ? reading.accessToken : "";
    const request = (path: string, authorization: string) =>
      new Request(`${APP}/api/trpc/${path}`, { headers: { authorization } });
    expect(await call(app, request("stock", `Bearer ${token}`))).toMatchObject({ data: "token" });
    expect(await call(app, ada.request("/api/trpc/stock"))).toMatchObject({ data: "session" });
    expect((await call(app, request("stock", "Bearer gat_x"))).status).toBe(401);
    expect((await call(app, request("me", `Bearer ${token}`))).status).toBe(401);
    const bound = new Request(`${APP}/api/trpc/stock`, { headers: { authorization: `DPoP ${token}`, dpop: "x" } });
    expect((await call(app, bound)).status).toBe(401);
  });
});

describe("PK-52 sessionLink", () => {
  afterEach(() => void vi.unstubAllGlobals());

  /** The browser of a user whose session cannot be read until the handlers have renewed it. */
  async function client(link: typeof httpLink | typeof httpBatchLink = httpLink) {
    vi.stubGlobal("document", {}); // as in a browser
    const app = trpcApp();
    const ada = app.browser();
    let isRefused = true;
    let reads = 0;
    const fetch = async (input: unknown, init?: object): Promise<Response> => {
      const { pathname, search } = new URL(String(input), APP);
      if (pathname === "/auth/session") {
        reads++;
        isRefused = false;
        return ada.open(pathname, { headers: SAME_ORIGIN });
      }
      const { headers } = isRefused ? new Request(APP) : ada.request("/", { headers: NAVIGATION });
      return app.handle(new Request(APP + pathname + search, { ...init, headers } as RequestInit));
    };
    const trpc = createTRPCClient<App["router"]>({
      links: [sessionLink({ fetch }), link({ url: "/api/trpc", fetch })],
    });
    return { trpc, ada, reads: () => reads };
  }

  test("reads the session once for all calls that were refused, and calls again", async () => {
    const { trpc, ada, reads } = await client();
    await ada.signIn();
    expect(await Promise.all([trpc.me.query(), trpc.me.query(), trpc.me.query()])).toEqual(
      Array(3).fill("user-ada of shop"),
    );
    expect(reads()).toBe(1);
  });

  test("works before a batch link", async () => {
    const { trpc, ada, reads } = await client(httpBatchLink);
    await ada.signIn();
    expect(await Promise.all([trpc.me.query(), trpc.open.query()])).toEqual(["user-ada of shop", "shop"]);
    expect(reads()).toBe(1);
  });

  test("passes the error on if nobody is signed in, after one call", async () => {
    const { trpc, reads } = await client();
    await expect(trpc.me.query()).rejects.toMatchObject({ data: { code: "UNAUTHORIZED" } });
    expect(reads()).toBe(1);
  });

  test("leaves other errors alone, a 401 of the app's own among them", async () => {
    const { trpc, ada, reads } = await client();
    await ada.signIn();
    await expect(trpc.unauthorized.query()).rejects.toThrow("No key for the vault.");
    await expect(trpc.unauthorized.query()).rejects.toBeInstanceOf(TRPCClientError);
    expect(reads()).toBe(0);
  });

  test("does nothing where a server renders the page", async () => {
    const { trpc, ada, reads } = await client();
    await ada.signIn();
    vi.unstubAllGlobals();
    await expect(trpc.me.query()).rejects.toMatchObject({ data: { code: "UNAUTHORIZED" } });
    expect(reads()).toBe(0);
  });
});
