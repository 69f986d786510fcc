import { showPassword, submitPassword } from "../../../server/pages/account/password.ts";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/password", {
  GET: showPassword,
  POST: submitPassword,
});
