import { showConfirm, submitConfirm } from "../../../server/pages/sign-in/confirm.tsx";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/confirm", {
  GET: showConfirm,
  POST: submitConfirm,
});
