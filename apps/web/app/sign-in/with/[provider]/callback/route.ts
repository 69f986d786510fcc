import { readForm } from "../../../../../server/pages/form.ts";
import { seeOther } from "../../../../../server/pages/respond.tsx";
import { arriveFromProvider } from "../../../../../server/pages/upstream.tsx";
import { route } from "../../../../../server/routing/route.ts";

/** Apple's answer has these, and the name of a new user. */
const FORWARDED = ["code", "state", "iss", "error", "user"];
const MAX_LENGTH = 6000;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/with/[provider]/callback", {
  GET: (visit) => arriveFromProvider(String(visit.params["provider"]), visit.url.searchParams, visit),
  // A cross-site POST comes without our cookies; the redirect to the GET sends them. UP-11, as AZ-01.
  POST: async ({ request, params }) => {
    const form = await readForm(request);
    const answer = new URLSearchParams(FORWARDED.flatMap((name) => form.getAll(name).map((value) => [name, value])));
    if (answer.toString().length > MAX_LENGTH) answer.delete("user");
    return seeOther(`/sign-in/with/${encodeURIComponent(String(params["provider"]))}/callback?${answer}`);
  },
});
