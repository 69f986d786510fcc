import { csrfToken } from "@gatehouse/auth";
import { consoleLink } from "../server/pages/frame/console-link.ts";
import { page } from "../server/pages/responses/respond.ts";
import { route } from "../server/routing/route.ts";
import { HomePage } from "../views/home.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/", {
  GET: ({ request, session, app, frame }) => {
    const { token, setCookie } = csrfToken(request.headers.get("cookie"), session, app.deps);
    const props = {
      frame,
      csrf: token,
      email: session?.user.email,
      consoleUrl: consoleLink(session, app.env.adminUrl),
    };
    return page(HomePage(props), { cookies: [setCookie] });
  },
});
