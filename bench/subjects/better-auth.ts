import { installedVersion } from "../installed.ts";
import { startServer } from "../processes.ts";
import type { Subject } from "../subject.ts";

/** Its guard workload is a route that requires a bearer token. */
export const betterAuth: Subject = {
  slug: "better-auth",
  title: "better-auth OAuth provider",
  version: installedVersion("@better-auth/oauth-provider"),
  durability: "SQLite WAL, synchronous=NORMAL, a commit for each write: the last commits may be lost in a power cut",
  paths: {
    token: "/api/auth/oauth2/token",
    introspection: "/api/auth/oauth2/introspect",
    guard: "/api/auth/oauth2/userinfo",
    metadata: "/api/auth/.well-known/oauth-authorization-server",
  },
  codesPerSecond: 800,
  start: (core) => startServer("better-auth", core),
};
