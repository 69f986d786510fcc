import { userinfo } from "@gatehouse/auth";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/userinfo", ({ request, app, caller }) =>
  userinfo(request, app.deps, caller),
);
