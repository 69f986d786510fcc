import { showPicture, submitPicture } from "../../../server/pages/account/picture.ts";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/picture", {
  GET: showPicture,
  POST: submitPicture,
});
