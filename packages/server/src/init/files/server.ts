import type { Seen } from "../seen.ts";
import type { NewFile } from "./new-file.ts";

/** What an Express or Hono product gets: the module with its sign-in. The app's own file mounts it. PK-20 */
export function serverFiles({ source, language, framework }: Seen): NewFile[] {
  const text = `import { gatehouse } from "@gatehouse/sdk/${framework}";

export const { handlers, requireAuth } = gatehouse();
`;
  return [{ path: `${source}auth.${language}`, text }];
}

/** The lines that mount it: their place depends on the app. */
export function mountLines({ framework, importExtension }: Seen): string {
  const user = framework === "express" ? "res.json({ user: req.auth?.user })" : "c.json({ user: c.var.auth.user })";
  const context = framework === "express" ? "(req, res)" : "(c)";
  return `import { handlers, requireAuth } from "./auth.${importExtension}";

app.use(handlers); // first
app.get("/protected", requireAuth({ accept: "any" }), ${context} => ${user});`;
}
