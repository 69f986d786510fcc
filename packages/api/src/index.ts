export { type Context, createContext, type Principal } from "./context.ts";
export { createTrpcHandler, type TrpcHandler } from "./handler.ts";
export { type AppRouter, appRouter } from "./root.ts";
