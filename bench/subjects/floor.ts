import { startServer } from "../processes.ts";
import type { Subject } from "../subject.ts";

/** Plain node:http and SQLite, without anything else. */
export const floor: Subject = {
  slug: "floor",
  title: "the floor",
  version: `node:http of Node ${process.versions.node}`,
  durability: "SQLite WAL, synchronous=NORMAL, a commit for each request: the last commits may be lost in a power cut",
  paths: {
    token: "/token",
    introspection: "/introspect",
    resource: "/resource",
    guard: "/protected",
    webhook: "/webhook",
    metadata: "/metadata",
    noop: "/noop",
  },
  codesPerSecond: 10_000,
  start: (core) => startServer("floor", core),
};
