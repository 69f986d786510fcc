import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./gatehouse.ts";

/** As deep below the root as apps/web is, since its configuration and its packages are found from there. */
const FOLDER = ".web-with-pages/web";
const MADE = new Set(["node_modules", ".next", ".turbo", "dist", "public"]);

/** Says who reads it. The words are on no other page, so a test can tell that it was rendered. */
export const MEMBERS_ONLY = "Only members can read this";

type FixturePage = { demand: "public" | "signed_in" | "session"; source: string };

const reading = (path: string, words: string) => `
import { pageSession } from "${"../".repeat(path.split("/").length)}server/pages/page-session.ts";
export default async function Page() {
  const session = await pageSession("${path}");
  return <p>${words}: {session?.user.email ?? "nobody"}</p>;
}
`;

/** A React page of each demand. The open \`/careless\` asks for the session of a page that is for members. */
const PAGES: Record<string, FixturePage> = {
  "/for-anybody": { demand: "public", source: reading("/for-anybody", "Anybody can read this") },
  "/for-members": { demand: "signed_in", source: reading("/for-members", MEMBERS_ONLY) },
  "/for-members/[id]": { demand: "signed_in", source: reading("/for-members/[id]", MEMBERS_ONLY) },
  "/for-members/open": { demand: "public", source: reading("/for-members/open", "Anybody can read this") },
  "/for-programs": { demand: "session", source: reading("/for-programs", MEMBERS_ONLY) },
  "/careless": { demand: "public", source: reading("/careless", MEMBERS_ONLY).replace(`"/careless"`, `"/for-members"`) },
};

/**
 * Builds a copy of apps/web that has React pages, since the product ships none: with one, every installation would load
 * Next at start. Returns the copy's folder below the root; remove it with {@link removeWebWithPages}.
 */
export async function buildWebWithPages(): Promise<string> {
  const [from, to] = [join(ROOT, "apps/web"), join(ROOT, FOLDER)];
  await removeWebWithPages();
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, filter: (file) => !MADE.has(basename(file)) && !/\.test\.tsx?$|\.tsbuildinfo$/.test(file) });
  await symlink(join(from, "node_modules"), join(to, "node_modules"));
  await writePages(to);
  const { scripts }: { scripts: { build: string } } = JSON.parse(await readFile(join(to, "package.json"), "utf8"));
  const env = { ...process.env, NODE_ENV: "production" as const, PATH: `${join(to, "node_modules/.bin")}:${process.env["PATH"]}` };
  await promisify(execFile)("sh", ["-c", scripts.build], { cwd: to, env });
  return FOLDER;
}

export function removeWebWithPages(): Promise<void> {
  return rm(dirname(join(ROOT, FOLDER)), { recursive: true, force: true });
}

async function writePages(folder: string): Promise<void> {
  for (const [path, { source }] of Object.entries(PAGES)) {
    await mkdir(join(folder, "app", path), { recursive: true });
    await writeFile(join(folder, "app", path, "page.tsx"), source);
  }
  const table = join(folder, "server/routing/policy-table.ts");
  const lines = Object.entries(PAGES).map(([path, { demand }]) => `  "${path}": { demand: "${demand}", audience: "react" },\n`);
  const text = await readFile(table, "utf8");
  await writeFile(
    table,
    text.replace("} as const satisfies", () => `${lines.join("")}} as const satisfies`),
  );
}
