import { json } from "../../server/pages/responses/respond.ts";
import { route } from "../../server/routing/route.ts";

/** 200 while the process responds. OP-70 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/healthz", {
  GET: () => json({ status: "ok" }),
});
