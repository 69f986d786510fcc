import { continuationOf, keepsSignedIn } from "../../../../server/pages/sign-in/continuation.ts";
import { goToProvider } from "../../../../server/pages/sign-in/provider/departure.tsx";
import { route } from "../../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/with/[provider]", {
  POST: (visit) => {
    const { form, params } = visit;
    const departure = { ...continuationOf(form), keep: keepsSignedIn(form), loginHint: form.get("email") };
    return goToProvider(String(params["provider"]), departure, visit);
  },
});
