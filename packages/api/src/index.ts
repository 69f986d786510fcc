export { insufficientAuthentication } from "./challenge.ts";
export { type Context, createContext, type Principal } from "./context.ts";
export { WEAK_SIGN_IN } from "./errors.ts";
export { createTrpcHandler, type TrpcHandler } from "./handler.ts";
export { type AppRouter, appRouter } from "./root.ts";
export { authorOf, freshSince } from "./trpc.ts";
