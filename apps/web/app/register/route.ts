import { register } from "@gatehouse/auth";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/register", ({ request, app, caller }) =>
  register(request, app.deps, caller),
);
