import { readForm } from "../../../../../server/pages/forms/form.ts";
import { seeOther } from "../../../../../server/pages/responses/respond.ts";
import { arriveFromProvider } from "../../../../../server/pages/sign-in/provider/callback.tsx";
import { route } from "../../../../../server/routing/route.ts";

/** Apple's answer has these, and the name of a new user. */
const FORWARDED = ["code", "state", "iss", "error", "user"];
const MAX_LENGTH = 6000;
/** The GET rejects a repeated parameter, so it must see that there are two. */
const MAX_REPEATS = 2;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/with/[provider]/callback", {
  GET: (visit) => arriveFromProvider(String(visit.params["provider"]), visit.url.searchParams, visit),
  // A cross-site POST comes without our cookies; the redirect to the GET sends them. UP-11, as AZ-01.
  POST: async ({ request, params }) => {
    const form = await readForm(request);
    const forwarded = (names: readonly string[]) =>
      new URLSearchParams(
        names.flatMap((name) =>
          form
            .getAll(name)
            .slice(0, MAX_REPEATS)
            .map((value) => [name, value]),
        ),
      );
    const whole = forwarded(FORWARDED);
    const answer =
      whole.toString().length > MAX_LENGTH ? forwarded(FORWARDED.filter((name) => name !== "user")) : whole;
    return seeOther(`/sign-in/with/${encodeURIComponent(String(params["provider"]))}/callback?${answer}`);
  },
});
