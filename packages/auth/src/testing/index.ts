export * from "./memory-store.ts";
export * from "./scene.ts";
