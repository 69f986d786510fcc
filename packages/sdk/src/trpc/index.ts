// Entry `/trpc`: middleware for the procedures of a product's own tRPC.

export type { Accept, AuthDemand } from "../accept.ts";
export { GatehouseError, type GatehouseErrorCode } from "../error.ts";
export type { Problem, ProblemReason } from "../handlers/problem.ts";
export type { Environment, GatehouseOptions, SessionStore } from "../options.ts";
export type { RequestAuth, SessionAuth, TokenAuth } from "../request-auth.ts";
export type { User } from "../session/session.ts";
export { type AuthMiddleware, createRequires, type Requires, requires } from "./requires.ts";
