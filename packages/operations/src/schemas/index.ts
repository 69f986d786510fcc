// The inputs and results of operations, as procedures and the command line check them. Times are Unix seconds.

export * from "./applications.ts";
export * from "./clients.ts";
export * from "./delivery-detail.ts";
export * from "./delivery-export.ts";
export * from "./delivery-stats.ts";
export * from "./fields.ts";
export * from "./jobs.ts";
export * from "./lists.ts";
export * from "./refusals.ts";
export * from "./registrations.ts";
export * from "./reruns.ts";
export * from "./resources.ts";
export * from "./users.ts";
export * from "./webhook-endpoints.ts";
export * from "./webhooks.ts";
