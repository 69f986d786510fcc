import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { appRouter } from "./app-router.ts";

// Types only: importing this brings no server code.
export type AppRouter = typeof appRouter;
export type RouterInputs = inferRouterInputs<AppRouter>;
export type RouterOutputs = inferRouterOutputs<AppRouter>;
