import { showResetPassword, submitResetPassword } from "../../server/pages/reset/reset-password.ts";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/reset-password", {
  GET: showResetPassword,
  POST: submitResetPassword,
});
