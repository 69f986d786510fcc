import { showDeletion, submitDeletion } from "../../../server/pages/account/delete.ts";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/delete", {
  GET: showDeletion,
  POST: submitDeletion,
});
