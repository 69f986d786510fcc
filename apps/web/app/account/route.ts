import { showProfile, submitProfile } from "../../server/pages/account/profile.ts";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account", {
  GET: showProfile,
  POST: submitProfile,
});
