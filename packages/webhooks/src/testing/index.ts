export * from "./memory-store.ts";
export * from "./signers.ts";
