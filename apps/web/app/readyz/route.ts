import { json } from "../../server/respond.tsx";
import { route } from "../../server/route.ts";

/** The database answers too: send traffic here. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/readyz", {
  GET: async ({ app }) => {
    const ready = await app.deps.store.findClient(app.consoleClientId).then(Boolean, () => false);
    return json({ status: ready ? "ready" : "unavailable" }, { status: ready ? 200 : 503 });
  },
});
