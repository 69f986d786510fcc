import { pushedAuthorizationRequest } from "@gatehouse/auth";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/par", ({ request, app, caller }) =>
  pushedAuthorizationRequest(request, app.deps, caller),
);
