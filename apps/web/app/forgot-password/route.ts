import { showForgotPassword, submitForgotPassword } from "../../server/pages/reset/forgot-password.ts";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/forgot-password", {
  GET: showForgotPassword,
  POST: submitForgotPassword,
});
