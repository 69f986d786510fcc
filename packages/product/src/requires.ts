import { type Demand, procedure } from "@gatehouse/console/trpc";
import type { ScopeName } from "./scopes-in-force.ts";

/** A procedure that demands this scope of its caller, and one of the roles where any are given. A misspelt scope does not compile. */
export const requires = (demand: Demand & { scope: ScopeName }) => procedure.requires(demand);
