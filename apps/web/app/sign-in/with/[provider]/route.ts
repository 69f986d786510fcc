import { continuationOf } from "../../../../server/pages/signing-in.tsx";
import { goToProvider } from "../../../../server/pages/upstream-departure.tsx";
import { route } from "../../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/with/[provider]", {
  POST: (visit) => {
    const { form, params } = visit;
    const keep = form.get("keep") === "on";
    return goToProvider(String(params["provider"]), { ...continuationOf(form), keep, loginHint: form.get("email") }, visit);
  },
});
