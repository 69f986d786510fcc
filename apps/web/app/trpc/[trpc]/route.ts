import { trpc } from "@gatehouse/api";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/trpc/[trpc]", ({ request, app, caller }) =>
  trpc(request, app.deps, caller, (error) => app.log.error({ err: error }, "a procedure failed")),
);
