import { json } from "../../server/pages/respond.tsx";
import { route } from "../../server/routing/route.ts";

/** The process answers. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/healthz", { GET: () => json({ status: "ok" }) });
