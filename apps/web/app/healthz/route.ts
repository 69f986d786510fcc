import { json } from "../../server/respond.tsx";
import { route } from "../../server/route.ts";

/** The process answers. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/healthz", { GET: () => json({ status: "ok" }) });
