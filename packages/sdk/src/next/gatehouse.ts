import type { Authorizer } from "../authorize.ts";
import { NO_STORE } from "../cookies/response.ts";
import { type Core, createCore } from "../core.ts";
import type { TokenOptions } from "../gatehouse.ts";
import type { GatehouseOptions } from "../options.ts";
import { errorOf } from "../refusal/json.ts";
import { createAuth, type NextAuth } from "./auth.ts";
import { currentRequest } from "./current-request.ts";
import { createProxy, type NextProxy, type ProxyShape } from "./proxy.ts";
import { type PageSignInOptions, pageSignInPath } from "./sign-in-path.ts";

/** For `app/auth/[...path]/route.ts`: `export const { GET, POST } = handlers;` */
export type RouteHandlers = Record<"GET" | "POST", (request: Request) => Promise<Response>>;

/** A Next product's side of sign-in. */
export type NextGatehouse = {
  auth: NextAuth;
  /**
   * Sign-in, callback, sign-out, session and back-channel logout, below `/auth`, and the metadata of the API. PK-46,
   * PK-51.
   */
  handlers: RouteHandlers;
  /** Makes the proxy (Next 16) or middleware (15.5, with `runtime: "nodejs"`). Exactly one shape. PK-39. */
  proxy(shape: ProxyShape): NextProxy;
  /**
   * The access token of the signed-in user, for calling an API from the server. With `live`, Gatehouse is asked first, and
   * the token renewed if it is not active: for an API that has just rejected it.
   *
   * @throws GatehouseError `signed_out`, `cross_origin` or `unavailable`.
   */
  getAccessToken(options?: TokenOptions): Promise<string>;
  /**
   * The path that signs the user in and returns to `returnTo`, or to the page of this request: pass it to `redirect`, which
   * adds the base path to both. What it demands is sealed into it for half an hour, so that no link can ask for less.
   * PK-46.
   */
  signInPath(options?: PageSignInOptions): Promise<string>;
};

/**
 * Sign-in, sessions and route protection for the App Router: a product exports what it returns from one module. Without
 * options it is configured by four variables, which are read at the first request. PK-12, PK-13.
 */
export function gatehouse(options: GatehouseOptions = {}): NextGatehouse {
  const core = createCore(options);
  let authorizer: Promise<Authorizer> | undefined;
  const openAuthorizer = () => {
    authorizer ??= import("../authorize.ts").then(({ createAuthorizer }) => createAuthorizer(options, core));
    return authorizer;
  };
  const handle = async (request: Request) => answer(await openAuthorizer(), request);
  return {
    auth: createAuth(core, openAuthorizer),
    handlers: { GET: handle, POST: handle },
    proxy: (shape) => createProxy(core, shape, { handlers: options.path ?? "/auth" }),
    getAccessToken: (options) => readAccessToken(core, options),
    async signInPath(options = {}) {
      const { request } = await currentRequest();
      return pageSignInPath(core, request.headers, options);
    },
  };
}

async function answer(authorizer: Authorizer, request: Request): Promise<Response> {
  const { answerHandlers } = await import("../answer.ts");
  const response = await answerHandlers(request, authorizer);
  if (response?.status === 204 && isRouterNavigation(request.headers)) return new Response("", { headers: NO_STORE });
  return response ?? Response.json({ error: "not_found" }, { status: 404, headers: NO_STORE });
}

/**
 * Under Cache Components the router logs an error for a 204, before it lets the browser navigate. For an empty response
 * of another type than its own it does so at once. PK-43.
 */
function isRouterNavigation(headers: Headers): boolean {
  return headers.has("next-router-state-tree") && !headers.has("next-router-prefetch");
}

async function readAccessToken(core: Core, { live }: TokenOptions = {}): Promise<string> {
  const current = await currentRequest();
  const reading = await core.read(current.request, { ...current, live });
  current.setCookies(reading.setCookies);
  if (reading.kind === "signed_in") return reading.accessToken;
  const { kind } = reading;
  throw errorOf(kind === "unavailable" ? { ...reading, reason: kind } : { reason: kind });
}
