// Every table, in files by family. The comment above a table is its specification; schema/postgres has the same tables
// without comments, and schema.test.ts keeps the two equal. Times are Unix seconds in columns named `…_at`. Secrets are
// stored as SHA-256 (Hash) or sealed.
export * from "./api-tokens.ts";
export * from "./audit.ts";
export * from "./clients.ts";
export * from "./codes.ts";
export * from "./factors.ts";
export * from "./failures.ts";
export * from "./grants.ts";
export * from "./jobs.ts";
export * from "./mails.ts";
export * from "./managed-objects.ts";
export * from "./operations.ts";
export * from "./people.ts";
export * from "./preview-slots.ts";
export * from "./resources.ts";
export * from "./saved-views.ts";
export * from "./sessions.ts";
export * from "./settings.ts";
export * from "./sign-in-providers.ts";
export * from "./sign-ins.ts";
export * from "./stats.ts";
export * from "./test-runs.ts";
export * from "./tokens.ts";
export * from "./usage.ts";
export * from "./users.ts";
export * from "./webhook-runs.ts";
export * from "./webhooks.ts";
