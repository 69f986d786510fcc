import { appRouter as gatehouseRouter } from "@gatehouse/api";
import { mergeRouters } from "@gatehouse/api/trpc";
import { productRouter } from "./routers.ts";

/** Everything under /trpc. */
export const appRouter = mergeRouters(gatehouseRouter, productRouter);
