import { json } from "../../server/pages/responses/respond.ts";
import { route } from "../../server/routing/route.ts";

/**
 * 200 unless the process is stopping: send traffic here. A lost database changes nothing: all servers share it, and our
 * 503 says when to retry, which a balancer without servers does not. `?db=1` asks for it too, for balancers between
 * sites. OP-71, OP-72.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/readyz", {
  GET: async ({ app, url }) => {
    const ready = !app.state.draining && (url.searchParams.get("db") !== "1" || (await app.databaseAnswers()));
    return json({ status: ready ? "ready" : "unavailable" }, { status: ready ? 200 : 503 });
  },
});
