export * from "./memory-store.ts";
export * from "./outbound.ts";
export * from "./signers.ts";
