// The tables of schema/sqlite, which documents them, in PostgreSQL's types; schema.test.ts keeps the two equal.
// JSON columns are `json`, not `jsonb`: it returns the text exactly as stored, keeps the order of keys, and accepts \u0000.
export * from "./audit.ts";
export * from "./clients.ts";
export * from "./codes.ts";
export * from "./grants.ts";
export * from "./jobs.ts";
export * from "./operations.ts";
export * from "./resources.ts";
export * from "./sessions.ts";
export * from "./stats.ts";
export * from "./tokens.ts";
export * from "./users.ts";
export * from "./webhook-runs.ts";
export * from "./webhooks.ts";
