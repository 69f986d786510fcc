import { page } from "../server/pages/respond.tsx";
import { route } from "../server/routing/route.ts";
import { HomePage } from "../views/home.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/", {
  GET: ({ session, app }) => page(HomePage({ email: session?.user.email, consoleUrl: app.env.adminUrl })),
});
