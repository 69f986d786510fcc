import { showNewBrowser, submitNewBrowser } from "../../../server/pages/sign-in/new-browser.ts";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/new-browser", {
  GET: showNewBrowser,
  POST: submitNewBrowser,
});
