import type { Seen } from "../seen.ts";
import { importOf, type NewFile } from "./new-file.ts";

/** Where the sample page is. */
export const SAMPLE = "/protected";

/** The files that make a Next product sign its users in (PK-13), and a sample page that only they see. PK-20 */
export function nextFiles(seen: Seen): NewFile[] {
  const { source, language, next } = seen;
  const path = (name: string, extension: string = language) => `${source}${name}.${extension}`;
  const isProxy = (next?.major ?? 0) >= 16;
  return [
    { path: path("auth"), text: AUTH },
    isProxy
      ? { path: path("proxy"), text: proxyFile(seen), instead: path("middleware") }
      : { path: path("middleware"), text: proxyFile(seen, 'runtime: "nodejs"'), instead: path("proxy") },
    { path: path("app/auth/[...path]/route"), text: routeFile(seen) },
    { path: path(`app${SAMPLE}/page`, `${language}x`), text: pageFile(seen) },
  ];
}

const AUTH = `import { gatehouse } from "@gatehouse/sdk/next";

export const { auth, handlers, proxy } = gatehouse();
`;

/** Default deny: what is public is listed. */
function proxyFile({ source, alias, trpc, next }: Seen, ...config: string[]): string {
  const routes = [
    "/",
    "/api/webhooks/:provider",
    ...(trpc ? [`${trpc.endpoint}(.*)`] : []),
    ...(next?.publicFiles ?? []),
  ];
  const entries = ['matcher: ["/((?!_next/static|_next/image|favicon.ico).*)"]', ...config];
  return `import { proxy } from "${importOf({ source, alias }, "auth", "")}";

// Everything else needs a signed-in user. Pages, handlers and actions check again, with auth.protect().
export default proxy({
  public: [
${routes.map((route) => `    ${JSON.stringify(route)},`).join("\n")}
  ],
});

export const config = {
${entries.map((entry) => `  ${entry},`).join("\n")}
};
`;
}

function routeFile(seen: Seen): string {
  return `import { handlers } from "${importOf(seen, "auth", "app/auth/[...path]")}";

export const { GET, POST } = handlers;
`;
}

function pageFile(seen: Seen): string {
  return `import { Suspense } from "react";
import { auth } from "${importOf(seen, "auth", `app${SAMPLE}`)}";

/** A sample: only signed-in users see this page. */
export default function ProtectedPage() {
  return (
    <Suspense fallback={<p>Loading…</p>}>
      <Account />
    </Suspense>
  );
}

async function Account() {
  const { user } = await auth.protect();
  return (
    <main>
      <h1>Signed in as {user.name ?? user.email ?? user.id}</h1>
      <form action="/auth/sign-out" method="post">
        <button type="submit">Sign out</button>
      </form>
    </main>
  );
}
`;
}
