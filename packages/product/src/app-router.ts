import { appRouter as gatehouseRouter } from "@gatehouse/console/root";
import { mergeRouters } from "@gatehouse/console/trpc";
import { productRouter } from "./routers.ts";

/** Everything under /trpc. */
export const appRouter = mergeRouters(gatehouseRouter, productRouter);
