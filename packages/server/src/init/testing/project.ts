import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PORTS } from "../../dev/environment.ts";
import type { Wish } from "../init.ts";
import { publishedPackages } from "../packages.ts";

/** A project on disk with these files; objects are written as JSON. */
export function projectWith(files: Readonly<Record<string, string | object>>): string {
  const project = mkdtempSync(join(tmpdir(), "gatehouse-init-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(join(project, path), text);
  }
  return project;
}

/** Every file of the project with its content. */
export function filesIn(project: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(project, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .map((file) => [file.slice(project.length + 1), readFileSync(file, "utf8")] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export const NEXT_16 = {
  "package.json": { name: "shop", scripts: { dev: "next dev" }, dependencies: { next: "16.4.6", react: "19.3.0" } },
  "tsconfig.json": '{ "compilerOptions": { /* the default */ "paths": { "@/*": ["./*"] }, } }',
  "app/page.tsx": "export default () => null;\n",
  "public/next.svg": "<svg/>",
  ".gitignore": "node_modules\n.env*\n",
};

export const T3 = {
  "package.json": {
    name: "@acme/t3",
    scripts: { dev: "next dev --turbo -p 4000" },
    dependencies: { next: "^15.5.20", "@trpc/server": "^11.0.0" },
    packageManager: "pnpm@10.0.0",
  },
  "tsconfig.json": { compilerOptions: { baseUrl: ".", paths: { "~/*": ["./src/*"] } } },
  "src/app/page.tsx": "export default () => null;\n",
  "src/server/api/trpc.ts": `import { initTRPC } from "@trpc/server";
export const createTRPCContext = async (opts: { headers: Headers }) => ({ ...opts });
const t = initTRPC.context<typeof createTRPCContext>().create();
export const createTRPCRouter = t.router;
export const publicProcedure = t.procedure;
`,
  "src/server/api/root.ts": `import { createTRPCRouter } from "./trpc";
export const appRouter = createTRPCRouter({
  post: postRouter,
});`,
};

export const wishFor = (project: string, more: Partial<Wish> = {}): Wish => ({
  project,
  urls: {},
  scopes: [],
  packages: publishedPackages("1.2.3"),
  place: { ...PORTS, folder: join(project, ".gatehouse") },
  dryRun: true,
  ...more,
});
