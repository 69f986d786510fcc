type RouteModule = Record<string, unknown>;
type Params = Record<string, string>;
type Hot = { pattern: RegExp; load: () => Promise<RouteModule> };

/**
 * The paths on which programs live. Our own server calls their route modules itself: the framework's pipeline costs
 * about ten times what their work costs (D3). The modules are the same that the framework mounts.
 */
const HOT: readonly Hot[] = [
  { pattern: /^\/token$/, load: () => import("../app/token/route.ts") },
  { pattern: /^\/introspect$/, load: () => import("../app/introspect/route.ts") },
  { pattern: /^\/revoke$/, load: () => import("../app/revoke/route.ts") },
  { pattern: /^\/device_authorization$/, load: () => import("../app/device_authorization/route.ts") },
  { pattern: /^\/authorize$/, load: () => import("../app/authorize/route.ts") },
  { pattern: /^\/\.well-known\/oauth-authorization-server$/, load: () => import("../app/.well-known/oauth-authorization-server/route.ts") },
  { pattern: /^\/\.well-known\/openid-configuration$/, load: () => import("../app/.well-known/openid-configuration/route.ts") },
  { pattern: /^\/\.well-known\/oauth-protected-resource$/, load: () => import("../app/.well-known/oauth-protected-resource/route.ts") },
  {
    pattern: /^\/\.well-known\/oauth-protected-resource\/api$/,
    load: () => import("../app/.well-known/oauth-protected-resource/api/route.ts"),
  },
  { pattern: /^\/api\/resource$/, load: () => import("../app/api/resource/route.ts") },
  { pattern: /^\/api\/webhooks\/(?<provider>[\w-]+)\/?$/, load: () => import("../app/api/webhooks/[provider]/route.ts") },
  { pattern: /^\/trpc\/(?<trpc>[\w.,-]+)$/, load: () => import("../app/trpc/[trpc]/route.ts") },
  { pattern: /^\/healthz$/, load: () => import("../app/healthz/route.ts") },
  { pattern: /^\/readyz$/, load: () => import("../app/readyz/route.ts") },
];

type Handle = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;
export type HotRoutes = (method: string, pathname: string) => ((request: Request) => Promise<Response>) | undefined;

/** Loads them all, so that the first request waits for none. The answer finds the handler of a path, as it stands on the wire. */
export async function loadHotRoutes(): Promise<HotRoutes> {
  const loaded = await Promise.all(HOT.map(async ({ pattern, load }) => ({ pattern, module: await load() })));
  return (method, pathname) => {
    for (const { pattern, module } of loaded) {
      const match = pattern.exec(pathname);
      if (!match) continue;
      const handle = module[method] as Handle | undefined;
      const params = Promise.resolve({ ...match.groups });
      return handle && ((request) => handle(request, { params }));
    }
    return undefined;
  };
}
