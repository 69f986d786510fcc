import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./gatehouse.ts";

/** As deep below the root as apps/web, so that its relative paths and packages resolve. */
const FOLDER = ".web-with-pages/web";
const MADE = new Set(["node_modules", ".next", ".turbo", "dist", "public"]);

/** Text of the guarded pages alone, so that a test can tell that one was rendered. */
export const MEMBERS_ONLY = "Only members can read this";

type FixturePage = { requires: "public" | "signed_in" | "session"; source: string };

const reading = (path: string, words: string) => `
import { pageSession } from "${"../".repeat(path.split("/").length)}server/pages/page-session.ts";
export default async function Page() {
  const session = await pageSession("${path}");
  return <p>${words}: {session?.user.email ?? "nobody"}</p>;
}
`;

/** A React page for each requirement. The open `/careless` reads the session of a page that requires one. */
const PAGES: Record<string, FixturePage> = {
  "/for-anybody": { requires: "public", source: reading("/for-anybody", "Anybody can read this") },
  "/for-members": { requires: "signed_in", source: reading("/for-members", MEMBERS_ONLY) },
  "/for-members/[id]": { requires: "signed_in", source: reading("/for-members/[id]", MEMBERS_ONLY) },
  "/for-members/open": { requires: "public", source: reading("/for-members/open", "Anybody can read this") },
  "/for-programs": { requires: "session", source: reading("/for-programs", MEMBERS_ONLY) },
  "/careless": { requires: "public", source: reading("/careless", MEMBERS_ONLY).replace(`"/careless"`, `"/for-members"`) },
};

/** Route handlers that nothing but their file and their line in the policy table makes known. */
const HANDLERS: Record<string, string> = { "/new-endpoint": "public", "/new-endpoint/[id]": "session" };

const handler = (path: string) => `
import { json } from "${"../".repeat(path.split("/").length)}server/pages/respond.tsx";
import { route } from "${"../".repeat(path.split("/").length)}server/routing/route.ts";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("${path}", { GET: ({ params }) => json({ path: "${path}", params }) });
`;

/**
 * Builds a copy of apps/web that has React pages of every kind, and new route handlers too. Returns the copy's folder below the root; remove it with {@link removeWebWithPages}.
 */
export async function buildWebWithPages(): Promise<string> {
  const [from, to] = [join(ROOT, "apps/web"), join(ROOT, FOLDER)];
  await removeWebWithPages();
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, filter: (file) => !MADE.has(basename(file)) && !/\.test\.tsx?$|\.tsbuildinfo$/.test(file) });
  await symlink(join(from, "node_modules"), join(to, "node_modules"));
  await writeRoutes(to);
  const { scripts }: { scripts: { build: string } } = JSON.parse(await readFile(join(to, "package.json"), "utf8"));
  const env = { ...process.env, NODE_ENV: "production" as const, PATH: `${join(to, "node_modules/.bin")}:${process.env["PATH"]}` };
  await promisify(execFile)("sh", ["-c", scripts.build], { cwd: to, env });
  return FOLDER;
}

export function removeWebWithPages(): Promise<void> {
  return rm(dirname(join(ROOT, FOLDER)), { recursive: true, force: true });
}

async function writeRoutes(folder: string): Promise<void> {
  for (const [path, { source }] of Object.entries(PAGES)) {
    await mkdir(join(folder, "app", path), { recursive: true });
    await writeFile(join(folder, "app", path, "page.tsx"), source);
  }
  for (const path of Object.keys(HANDLERS)) {
    await mkdir(join(folder, "app", path), { recursive: true });
    await writeFile(join(folder, "app", path, "route.ts"), handler(path));
  }
  const table = join(folder, "server/routing/policy-table.ts");
  const lines = [
    ...Object.entries(PAGES).map(([path, { requires }]) => `  "${path}": { requires: "${requires}", kind: "react" },\n`),
    ...Object.entries(HANDLERS).map(([path, requires]) => `  "${path}": { requires: "${requires}", kind: "endpoint" },\n`),
  ];
  const text = await readFile(table, "utf8");
  await writeFile(
    table,
    text.replace("} as const satisfies", () => `${lines.join("")}} as const satisfies`),
  );
}
