import * as jwks from "../../app/.well-known/jwks.json/route.ts";
import * as authorizationServerMetadata from "../../app/.well-known/oauth-authorization-server/route.ts";
import * as registeredMetadata from "../../app/.well-known/oauth-protected-resource/[...path]/route.ts";
import * as apiMetadata from "../../app/.well-known/oauth-protected-resource/api/route.ts";
import * as resourceMetadata from "../../app/.well-known/oauth-protected-resource/route.ts";
import * as openidConfiguration from "../../app/.well-known/openid-configuration/route.ts";
import * as nowhere from "../../app/[...nowhere]/route.ts";
import * as account from "../../app/account/route.ts";
import * as guarded from "../../app/api/protected/[[...path]]/route.ts";
import * as resource from "../../app/api/resource/route.ts";
import * as webhooks from "../../app/api/webhooks/[provider]/route.ts";
import * as authorize from "../../app/authorize/route.ts";
import * as consent from "../../app/consent/route.ts";
import * as device from "../../app/device/route.ts";
import * as deviceAuthorization from "../../app/device_authorization/route.ts";
import * as healthz from "../../app/healthz/route.ts";
import * as introspect from "../../app/introspect/route.ts";
import * as logout from "../../app/logout/route.ts";
import * as par from "../../app/par/route.ts";
import * as readyz from "../../app/readyz/route.ts";
import * as refused from "../../app/refused/route.ts";
import * as managedRegistration from "../../app/register/[clientId]/route.ts";
import * as register from "../../app/register/route.ts";
import * as revoke from "../../app/revoke/route.ts";
import * as home from "../../app/route.ts";
import * as signIn from "../../app/sign-in/route.ts";
import * as signOut from "../../app/sign-out/route.ts";
import * as signUp from "../../app/sign-up/route.ts";
import * as token from "../../app/token/route.ts";
import * as trpc from "../../app/trpc/[trpc]/route.ts";
import * as userinfo from "../../app/userinfo/route.ts";
import { trailingSlash } from "./guard.ts";
import { patternOf } from "./pattern.ts";
import type { HandlerPath } from "./policy-table.ts";
import type { Method, RouteHandler } from "./route.ts";

type RouteModule = Record<Method, RouteHandler>;
type Params = Record<string, string | string[]>;

/**
 * Every route module there is, the same that the framework mounts under these paths. Our own server calls them itself:
 * the framework's pipeline costs about ten times what their work costs (D3).
 */
const MODULES: Record<HandlerPath, RouteModule> = {
  "/": home,
  "/sign-in": signIn,
  "/sign-up": signUp,
  "/sign-out": signOut,
  "/consent": consent,
  "/device": device,
  "/account": account,
  "/refused": refused,
  "/authorize": authorize,
  "/token": token,
  "/par": par,
  "/logout": logout,
  "/userinfo": userinfo,
  "/device_authorization": deviceAuthorization,
  "/register": register,
  "/register/[clientId]": managedRegistration,
  "/revoke": revoke,
  "/introspect": introspect,
  "/.well-known/oauth-authorization-server": authorizationServerMetadata,
  "/.well-known/jwks.json": jwks,
  "/.well-known/oauth-protected-resource": resourceMetadata,
  "/.well-known/oauth-protected-resource/api": apiMetadata,
  "/.well-known/oauth-protected-resource/[...path]": registeredMetadata,
  "/.well-known/openid-configuration": openidConfiguration,
  "/api/resource": resource,
  "/api/protected/[[...path]]": guarded,
  "/api/webhooks/[provider]": webhooks,
  "/trpc/[trpc]": trpc,
  "/healthz": healthz,
  "/readyz": readyz,
  "/[...nowhere]": nowhere,
};

export type Found = { module: RouteModule; params: Params };

const PLAIN = new Map<string, Found>();
const PATTERNS: { pattern: RegExp; module: RouteModule }[] = [];
for (const [path, module] of Object.entries(MODULES)) {
  if (!path.includes("[")) PLAIN.set(path, { module, params: {} });
  else if (path !== "/[...nowhere]") PATTERNS.push({ pattern: patternOf(path), module });
}
const NOWHERE: Found = { module: nowhere, params: {} };

/** The route of a path as it stands on the wire; of one that is nowhere, the route that says so. */
export function findRoute(pathname: string): Found {
  return PLAIN.get(pathname) ?? findPattern(pathname);
}

function findPattern(sent: string): Found {
  const slash = trailingSlash(sent);
  if (slash.kind === "elsewhere") return NOWHERE;
  const pathname = slash.kind === "same_as" ? slash.pathname : sent;
  if (pathname.includes("%")) {
    const plain = PLAIN.get(decodeURIComponent(pathname)); // the guard in front has refused what does not decode
    if (plain) return plain;
  }
  for (const { pattern, module } of PATTERNS) {
    const found = pattern.exec(pathname);
    if (found) return { module, params: paramsOf(found.groups ?? {}) };
  }
  return NOWHERE;
}

function paramsOf(groups: Record<string, string | undefined>): Params {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, value]) => (value === undefined ? [] : [[name, decodeURIComponent(value)]])),
  );
}
