import { showLogout, submitLogout } from "../../server/pages/logout/logout.ts";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/logout", {
  GET: showLogout,
  POST: submitLogout,
});
