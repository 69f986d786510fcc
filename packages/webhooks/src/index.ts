export type { ReceiveDeps } from "./hit.ts";
export type { Adapter } from "./providers/adapter.ts";
export * from "./providers/index.ts";
export * from "./reasons.ts";
export { receive } from "./receive.ts";
export * from "./store.ts";
