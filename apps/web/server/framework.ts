import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import type { Env } from "./env.ts";
import type { Listener } from "./listener.ts";
import { patternOf } from "./pattern.ts";

/** The framework beside our own server, and the paths that are its to answer. */
export type Framework = { listener: Listener; serves(pathname: string): boolean; upgradeOn(servers: readonly Server[]): void };

/** Next's own not-found and error pages: the route `[...nowhere]` answers in their place. */
const BUILT_IN = new Set(["/_not-found", "/_global-error"]);

/**
 * Patterns of the React pages (`page.tsx`) in a built tree: what only the framework can render. As shipped there are
 * none, since every route is a handler that our own server calls itself; a team that adds a page finds it served.
 */
export function builtPages(folder: string): RegExp[] {
  const manifest: Record<string, string> = JSON.parse(readFileSync(join(folder, ".next/app-path-routes-manifest.json"), "utf8"));
  return Object.entries(manifest)
    .filter(([file, path]) => file.endsWith("/page") && !BUILT_IN.has(path))
    .map(([, path]) => patternOf(path));
}

/** In development the framework; in production too, if there are pages for it: loaded at start, never by a stranger's request. */
export async function startFramework(env: Env, folder: string): Promise<Framework | undefined> {
  const pages = env.dev ? [] : builtPages(folder);
  if (!env.dev && pages.length === 0) return undefined;

  const { default: next } = await import("next");
  const framework = next({ dev: env.dev, dir: folder, hostname: env.hosts[0] ?? "127.0.0.1", port: env.port });
  await framework.prepare();
  return {
    listener: framework.getRequestHandler(),
    serves: (pathname) => pathname.startsWith("/_next/") || pages.some((page) => page.test(pathname)),
    upgradeOn(servers) {
      for (const server of servers) server.on("upgrade", framework.getUpgradeHandler());
    },
  };
}
