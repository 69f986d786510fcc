export { type Context, createContext, type Principal } from "./context.ts";
export { trpc } from "./handler.ts";
export { type AppRouter, appRouter } from "./root.ts";
