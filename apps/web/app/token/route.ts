import { token } from "@gatehouse/auth";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/token", ({ request, app, caller }) =>
  token(request, app.deps, caller),
);
