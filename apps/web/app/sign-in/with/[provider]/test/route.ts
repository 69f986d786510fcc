import { testProvider } from "../../../../../server/pages/sign-in/provider/test.ts";
import { route } from "../../../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/with/[provider]/test", {
  GET: (visit) => testProvider(String(visit.params["provider"]), visit),
});
