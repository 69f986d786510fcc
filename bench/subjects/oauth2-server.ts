import { installedVersion } from "../installed.ts";
import { startServer } from "../processes.ts";
import type { Subject } from "../subject.ts";

/** It has no introspection and no metadata. */
export const oauth2Server: Subject = {
  slug: "oauth2-server",
  title: "@node-oauth/oauth2-server",
  version: installedVersion("@node-oauth/oauth2-server"),
  durability: "SQLite WAL, synchronous=NORMAL, a commit for each write: the last commits may be lost in a power cut",
  paths: { token: "/token", resource: "/resource", guard: "/resource" },
  codesPerSecond: 10_000,
  start: (core) => startServer("oauth2-server", core),
};
