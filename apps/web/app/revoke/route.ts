import { revoke } from "@gatehouse/auth";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/revoke", ({ request, app, caller }) =>
  revoke(request, app.deps, caller),
);
