import { saveLocale } from "@gatehouse/console/users/profile";
import { backTo, localeCookie, localeFrom } from "../../server/pages/frame/language.ts";
import { seeOther } from "../../server/pages/responses/respond.ts";
import { route } from "../../server/routing/route.ts";

/** The language switch of every page. Comes back to the page it was on, with its pending request. LG-01. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/language", {
  POST: async ({ form, session, app, locale }) => {
    const chosen = localeFrom(form);
    // A saved language comes before the cookie. In a flow the choice is for the flow.
    if (chosen && session && !form.has("request")) await saveLocale(chosen, session.user.id, app.deps);
    return seeOther(backTo(form, chosen ?? locale, app), { cookies: [chosen && localeCookie(chosen, app)] });
  },
});
