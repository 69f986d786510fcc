import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter as Root } from "./root.ts";

// Types only: importing this brings no server code.
export type AppRouter = Root;
export type RouterInputs = inferRouterInputs<Root>;
export type RouterOutputs = inferRouterOutputs<Root>;
