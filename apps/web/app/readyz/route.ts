import { json } from "../../server/pages/responses/respond.ts";
import { route } from "../../server/routing/route.ts";

/** 200 while the database responds and the process is not stopping: send traffic here. OP-72. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/readyz", {
  GET: async ({ app }) => {
    const ready =
      !app.state.draining && (await app.deps.store.findClient(app.consoleClientId).then(Boolean, () => false));
    return json({ status: ready ? "ready" : "unavailable" }, { status: ready ? 200 : 503 });
  },
});
