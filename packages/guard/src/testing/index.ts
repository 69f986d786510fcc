export * from "./proof.ts";
