import { showSignUp, submitSignUp } from "../../server/pages/sign-up/sign-up.tsx";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-up", {
  GET: showSignUp,
  POST: submitSignUp,
});
