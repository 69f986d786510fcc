import { introspect } from "@gatehouse/auth";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/introspect", ({ request, app, caller }) =>
  introspect(request, app.deps, caller),
);
