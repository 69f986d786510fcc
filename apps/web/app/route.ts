import { page } from "../server/respond.tsx";
import { route } from "../server/route.ts";
import { HomePage } from "../views/home.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/", {
  GET: ({ session, app }) => page(HomePage({ email: session?.user.email, consoleUrl: app.env.adminUrl })),
});
