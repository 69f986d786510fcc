export * from "./reasons.ts";
export * from "./store.ts";
