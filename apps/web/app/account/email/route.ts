import { showEmail, submitEmail } from "../../../server/pages/account/email.ts";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/email", {
  GET: showEmail,
  POST: submitEmail,
});
