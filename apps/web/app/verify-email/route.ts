import { showVerifyEmail, submitVerifyEmail } from "../../server/pages/verify-email/code.ts";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/verify-email", {
  GET: showVerifyEmail,
  POST: submitVerifyEmail,
});
