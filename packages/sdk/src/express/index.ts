// Entry `/express`: Express 4 and 5. PK-10

export type { Accept, AuthDemand } from "../accept.ts";
export { GatehouseError, type GatehouseErrorCode } from "../error.ts";
export type { Problem, ProblemReason } from "../handlers/problem.ts";
export type { Environment, GatehouseOptions, SessionStore } from "../options.ts";
export type { RequestAuth, SessionAuth, TokenAuth } from "../request-auth.ts";
export type { User } from "../session/session.ts";
export type { VerifiedToken } from "../verify-token/token.ts";
export type { VerifyToken } from "../verify-token/verify-token.ts";
export { type ExpressGatehouse, gatehouse } from "./gatehouse.ts";
