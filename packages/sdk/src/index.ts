// Entry `.`: Web APIs alone. The other entries add a framework each.

export { createRouteMatcher } from "@gatehouse/guard/routes";
export type { Accept, ApiDemand, AuthBy, SessionDemand } from "./accept.ts";
export type { Core, Incoming, Protected } from "./core.ts";
export { GatehouseError, type GatehouseErrorCode } from "./error.ts";
export { type Gatehouse, gatehouse, type Passed, type ReadAuth, type TokenOptions } from "./gatehouse.ts";
export type { SignInOptions } from "./handlers/demand.ts";
export type { Problem, ProblemReason } from "./handlers/problem.ts";
export type { Environment, GatehouseOptions, SessionStore } from "./options.ts";
export type { Demand, Refusal } from "./refusal/refusal.ts";
export type { RequestAuth, SessionAuth, TokenAuth } from "./request-auth.ts";
export type { Reading, ReadOptions } from "./session/reading.ts";
export type { Auth, Session, User } from "./session/session.ts";
export type { TokenDemand, TokenRequest, VerifiedToken } from "./verify-token/token.ts";
export { createVerifyToken, type VerifyToken } from "./verify-token/verify-token.ts";
