import { route } from "../../../server/routing/route.ts";
import { mirrorRequest } from "../../../server/streams/mirror.ts";

/** What this server sees of a request, for its own doctor alone. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/doctor", { GET: mirrorRequest });
