import { join } from "node:path";
import { ENVIRONMENTS } from "@gatehouse/auth";
import { createApiToken } from "@gatehouse/console/api-tokens/api-tokens";
import { issueToken, signIn } from "@gatehouse/console/testing/callers";
import { seedApplication } from "@gatehouse/console/testing/installation";
import { createUser } from "@gatehouse/console/users/users";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp } from "../start/testing/test-app.ts";
import { HANDLER_PATHS, type HandlerPath, POLICIES, type Policy } from "./policy-table.ts";
import type { RouteModule } from "./routes.ts";

const ISSUER = "http://localhost:3000";
const APP = join(import.meta.dirname, "../../app");
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
const KINDS = ["session", "access_token", "api_token", "client"] as const;
type Credential = (typeof KINDS)[number];

/** What may change an answer; pages that need no session still say who is signed in, or go on where a user left. */
const COUNTS: Record<Policy["requires"], readonly Credential[]> = {
  public: ["session"],
  session: ["session"],
  signed_in: ["session"],
  client: ["client"],
  bearer: ["access_token"],
  signature: [],
  procedure: ["session", "access_token", "api_token"],
};
const countsAt = ({ requires, kind }: Policy): readonly Credential[] =>
  requires === "client" && kind === "page" ? ["client", "session"] : COUNTS[requires];

const EXAMPLES: Record<string, string> = {
  trpc: "audit.list",
  provider: "stripe",
  "...path": "api",
  "...notFound": "no",
};
const exampleOf = (path: string) =>
  path.replace(/\/\[+([^\]]+)\]+/g, (_, name: string) => `/${EXAMPLES[name] ?? "example"}`) +
  (path.startsWith("/trpc") ? "?input=%7B%7D" : "");

describe("the policy table, for every credential that a route does not take", () => {
  let running: Awaited<ReturnType<typeof startTestApp>>;
  let headers: Record<Credential, Record<string, string>>;

  beforeAll(async () => {
    running = await startTestApp();
    const { deps } = running.app;
    const admin = await createUser(
      { email: "ada@example.com", name: "Ada", password: "a long enough password", role: "admin" },
      deps,
    );
    const shop = await seedApplication(deps);
    const context = { authTime: deps.now(), acr: "urn:gatehouse:mfa" };
    const scope = "api:read console:read console:write webhooks:read webhooks:reveal openid";
    const bearer = await issueToken(deps, { clientId: shop.clientId, userId: admin.id, scope, context });
    const author = { id: admin.id, name: "Ada", role: "admin", via: "cli", freshSince: null, address: null } as const;
    const draft = {
      name: "All",
      scopes: ["audit:read" as const],
      environments: [...ENVIRONMENTS],
      clientId: null,
      firstPartyOrigins: [],
    };
    const { token } = await createApiToken({ ...draft, expiresInSeconds: 3600 }, author, deps);
    headers = {
      session: { cookie: await signIn(deps, admin.id), "sec-fetch-site": "cross-site" },
      access_token: { authorization: `Bearer ${bearer}` },
      api_token: { authorization: `Bearer ${token}` },
      client: { authorization: `Basic ${btoa(`${shop.clientId}:${shop.secret}`)}` },
    };
  });
  afterAll(() => running.close());

  async function answerOf(path: HandlerPath, method: (typeof METHODS)[number], sent: Record<string, string>) {
    const module: RouteModule = await import(/* @vite-ignore */ join(APP, path, "route.ts"));
    const example = exampleOf(path);
    const names = [...path.matchAll(/\[+(?:\.\.\.)?([^\]]+)\]+/g)].map(([, name = ""]) => name);
    const params = Object.fromEntries(
      names.map((name, at) => [name, new URL(ISSUER + example).pathname.split("/").at(at - names.length) ?? ""]),
    );
    const body = method === "GET" || method === "HEAD" ? {} : { body: new URLSearchParams() };
    const response = await module[method](new Request(ISSUER + example, { method, headers: sent, ...body }), {
      params,
    });
    await response.body?.cancel();
    return [response.status, response.headers.get("location"), response.headers.get("content-type")];
  }

  test("each of them is a live one", async () => {
    expect((await answerOf("/account", "GET", headers.session))[0]).toBe(200);
    expect((await answerOf("/api/resource", "GET", headers.access_token))[0]).toBe(200);
    expect((await answerOf("/trpc/[trpc]", "GET", headers.api_token))[0]).toBe(200);
    expect((await answerOf("/introspect", "POST", headers.client))[0]).toBe(400);
  });

  test.each(HANDLER_PATHS)("D9 CO-70 SE-09 %s answers as it answers nobody", async (path) => {
    const others = KINDS.filter((kind) => !countsAt(POLICIES[path]).includes(kind));
    for (const method of METHODS) {
      const nobody = await answerOf(path, method, {});
      for (const kind of others)
        expect([method, kind, ...(await answerOf(path, method, headers[kind]))]).toEqual([method, kind, ...nobody]);
    }
  });
});
