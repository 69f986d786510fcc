export * from "./endpoint.ts";
export type { ReceiveDeps } from "./hit.ts";
export { createIncoming, type Incoming } from "./incoming.ts";
export type * from "./providers/adapter.ts";
export * from "./providers/index.ts";
export * from "./reasons.ts";
export { receive } from "./receive.ts";
export { sampleBody } from "./samples.ts";
export * from "./store.ts";
