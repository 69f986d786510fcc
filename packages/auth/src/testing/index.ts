export { type ProofChange, type ProofKey, proof, proofKey } from "@gatehouse/guard/testing";
export * from "./api-resources.ts";
export * from "./authorization.ts";
export * from "./memory-store.ts";
export type { MemoryTables } from "./memory-tables.ts";
export * from "./requests.ts";
export * from "./scene.ts";
