import { createTrpcHandler } from "@gatehouse/console/handler";
import { appRouter } from "@gatehouse/product/router";
import { route } from "../../../server/routing/route.ts";

const trpc = createTrpcHandler(appRouter);

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/trpc/[trpc]", ({ request, app, caller }) =>
  trpc(request, app.deps, caller, (error) =>
    app.log.error({ err: error, request_id: caller.requestId }, "a procedure failed"),
  ),
);
