export * from "./database.ts";
export { type Handle, prepared, type Tables } from "./handle.ts";
export type { Dialect } from "./migrate.ts";
export { isUniqueViolation } from "./unique.ts";
