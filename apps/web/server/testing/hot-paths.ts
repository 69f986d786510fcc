import { createHmac } from "node:crypto";
import { mintTimeOrdered, mintTimeOrderedId } from "@gatehouse/auth";
import { CHALLENGE, VERIFIER } from "@gatehouse/auth/testing";
import { createApplication } from "@gatehouse/console/applications/applications";
import { registerClient } from "@gatehouse/console/clients/register";
import { ADMIN, webClient } from "@gatehouse/console/testing/installation";
import { createUser } from "@gatehouse/console/users/users";
import { addWebhookSecret } from "@gatehouse/console/webhook-secrets/webhook-secrets";
import { requestArrived } from "@gatehouse/db/cache/turn";
import * as metadata from "../../app/.well-known/oauth-authorization-server/route.ts";
import * as guarded from "../../app/api/protected/[[...path]]/route.ts";
import * as resource from "../../app/api/resource/route.ts";
import * as webhooks from "../../app/api/webhooks/[provider]/route.ts";
import * as introspection from "../../app/introspect/route.ts";
import * as token from "../../app/token/route.ts";
import { guard } from "../routing/guard.ts";
import type { RouteModule } from "../routing/routes.ts";
import type { App } from "../start/app.ts";

/** The requests that an installation answers most often. */
export const HOT_PATHS = [
  "client credentials",
  "code exchange",
  "refresh",
  "introspection, cached",
  "introspection, first",
  "bearer, cached",
  "bearer, first",
  "guard, 401",
  "webhook, stored",
  "metadata",
] as const;
export type HotPath = (typeof HOT_PATHS)[number];

const REDIRECT_URI = "http://localhost:4000/callback";
const STRIPE_SECRET = "whsec_0123456789abcdef0123456789abcdef";

/** Prepares each request; what is returned sends it once. Throws if the answer is not the expected one. */
export type Prepare = () => Promise<() => Promise<unknown>>;

/** The hot paths of a started app, with clients, a user and a webhook secret of their own. */
export async function openHotPaths({ deps }: Pick<App, "deps">): Promise<Record<HotPath, Prepare>> {
  const { issuer } = deps.config;
  const now = deps.now();
  const author = { ...ADMIN, freshSince: now };
  const application = await createApplication({ name: "Hot paths", description: "" }, author, deps);
  const register = async (draft: Parameters<typeof webClient>[0], name: string) => {
    const registered = await registerClient({ ...webClient(draft), name, applicationId: application.id }, author, deps);
    return {
      id: registered.client.clientId,
      basic: `Basic ${btoa(`${registered.client.clientId}:${registered.secret}`)}`,
    };
  };
  const web = await register({ scopes: ["offline_access", "api:read"] }, "Web");
  const service = await register(
    {
      type: "service",
      redirectUris: [],
      grantTypes: ["client_credentials"],
      scopes: ["api:read"],
      resourceServer: true,
    },
    "Service",
  );
  const user = await createUser(
    { email: "grace@example.com", name: "Grace", password: "a long enough password", role: "user" },
    deps,
  );
  await addWebhookSecret({ provider: "stripe", secret: STRIPE_SECRET }, author, deps);

  const form = (fields: Record<string, string>, basic: string) => ({
    method: "POST",
    headers: { authorization: basic, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });

  /** Answers as the listener does: the guard, then the route. */
  async function send(
    module: RouteModule,
    pathname: string,
    init: RequestInit,
    expected = 200,
  ): Promise<Record<string, string>> {
    requestArrived();
    const request = new Request(issuer + pathname, init);
    const method = init.method === "POST" ? "POST" : "GET";
    const params = { provider: pathname.split("/").at(-1) ?? "" };
    const response = (await guard(request)) ?? (await module[method](request, { params }));
    const text = await response.text();
    if (response.status !== expected) throw new Error(`${pathname} answered with ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  const clientCredentials = () =>
    send(token, "/token", form({ grant_type: "client_credentials", scope: "api:read" }, service.basic));
  const refresh = (value: string) =>
    send(token, "/token", form({ grant_type: "refresh_token", refresh_token: value }, web.basic));
  const exchange = (code: string) =>
    send(
      token,
      "/token",
      form({ grant_type: "authorization_code", code, code_verifier: VERIFIER, redirect_uri: REDIRECT_URI }, web.basic),
    );

  async function newCode(): Promise<string> {
    const { secret, hash } = mintTimeOrdered("authorizationCode", deps);
    const owner = { clientId: web.id, userId: user.id, scope: "offline_access api:read" };
    const grantId = mintTimeOrderedId(deps);
    await deps.store.saveGrant({ id: grantId, ...owner, sessionId: null, accessEpoch: 0, createdAt: deps.now() });
    const times = { authTime: deps.now(), createdAt: deps.now(), expiresAt: deps.now() + 60 };
    const request = { redirectUri: REDIRECT_URI, codeChallenge: CHALLENGE, audience: null, context: null };
    await deps.store.saveCode({ hash, grantId, ...owner, ...request, ...times });
    return secret;
  }

  const newAccessToken = async () => (await clientCredentials())["access_token"] ?? "";
  const newRefreshToken = async () => (await exchange(await newCode()))["refresh_token"] ?? "";

  /** The first use of a token, or one after it. */
  const use =
    (request: (accessToken: string) => Promise<unknown>, times: "first" | "cached"): Prepare =>
    async () => {
      const accessToken = await newAccessToken();
      if (times === "cached") await request(accessToken);
      return () => request(accessToken);
    };
  const introspect = (value: string) => send(introspection, "/introspect", form({ token: value }, service.basic));
  const bearer = (value: string) => send(resource, "/api/resource", { headers: { authorization: `Bearer ${value}` } });

  async function newEvent(): Promise<RequestInit> {
    const id = mintTimeOrderedId(deps);
    const body = JSON.stringify({ id: `evt_${id}`, object: "event", type: "price.updated", data: { object: { id } } });
    const signature = createHmac("sha256", STRIPE_SECRET).update(`${deps.now()}.${body}`).digest("hex");
    return {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": `t=${deps.now()},v1=${signature}` },
      body,
    };
  }

  return {
    "client credentials": async () => clientCredentials,
    "code exchange": async () => {
      const code = await newCode();
      return () => exchange(code);
    },
    refresh: async () => {
      const value = await newRefreshToken();
      return () => refresh(value);
    },
    "introspection, cached": use(introspect, "cached"),
    "introspection, first": use(introspect, "first"),
    "bearer, cached": use(bearer, "cached"),
    "bearer, first": use(bearer, "first"),
    "guard, 401": async () => () => send(guarded, "/api/protected/anything", {}, 401),
    "webhook, stored": async () => {
      const event = await newEvent();
      return () => send(webhooks, "/api/webhooks/stripe", event);
    },
    metadata: async () => () => send(metadata, "/.well-known/oauth-authorization-server", {}),
  };
}
