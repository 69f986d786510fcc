// Entry `/next`: the App Router of Next 15.5 and 16, with or without a proxy.

export type { Accept, ApiDemand, AuthBy, SessionDemand } from "../accept.ts";
export { GatehouseError, type GatehouseErrorCode } from "../error.ts";
export type { TokenOptions } from "../gatehouse.ts";
export type { SignInOptions } from "../handlers/demand.ts";
export type { Problem, ProblemReason } from "../handlers/problem.ts";
export type { Environment, GatehouseOptions, SessionStore } from "../options.ts";
export type { Demand } from "../refusal/refusal.ts";
export type { RequestAuth, SessionAuth, TokenAuth } from "../request-auth.ts";
export type { Auth, Session, User } from "../session/session.ts";
export type { NextAuth } from "./auth.ts";
export { gatehouse, type NextGatehouse, type RouteHandlers } from "./gatehouse.ts";
export type { Guarded, RouteHandler } from "./handler.ts";
export type { NextProxy, ProxyCallback, ProxyShape } from "./proxy.ts";
export type { PageSignInOptions } from "./sign-in-path.ts";
export type { ProxyAuth } from "./visit.ts";
