import { installedVersion } from "../installed.ts";
import { startServer } from "../processes.ts";
import type { Subject } from "../subject.ts";

export const oidcProvider: Subject = {
  slug: "oidc-provider",
  title: "node-oidc-provider",
  version: installedVersion("oidc-provider"),
  durability: "SQLite WAL, synchronous=NORMAL, a commit for each write: the last commits may be lost in a power cut",
  paths: {
    token: "/token",
    introspection: "/token/introspection",
    resource: "/resource",
    guard: "/resource",
    metadata: "/.well-known/openid-configuration",
  },
  codesPerSecond: 4_000,
  start: (core) => startServer("oidc-provider", core),
};
