import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { look, type Said } from "./seen.ts";
import { NEXT_16, projectWith, T3 } from "./testing/project.ts";
import { type Ask, askNobody } from "./unsure.ts";

const made: string[] = [];
afterEach(() => {
  for (const project of made.splice(0)) rmSync(project, { recursive: true });
});

function lookAt(files: Parameters<typeof projectWith>[0], said: Said = {}, ask: Ask = askNobody) {
  const project = projectWith(files);
  made.push(project);
  return look(project, said, ask);
}
const packageOf = (dependencies: Record<string, string>, more: object = {}) => ({
  "package.json": { name: "shop", dependencies, ...more },
});

describe("PK-19 a project", () => {
  test("of create-next-app: App Router, alias, files in public, npm", async () => {
    await expect(lookAt(NEXT_16)).resolves.toMatchObject({
      name: "shop",
      framework: "next",
      source: "",
      language: "ts",
      next: { major: 16, publicFiles: ["/next.svg"] },
      alias: "@/",
      trpc: undefined,
      manager: { name: "npm", lockFile: "package-lock.json" },
      appUrl: "http://localhost:3000",
    });
  });

  test("of create-t3-app: src, initTRPC, its own port and package manager", async () => {
    await expect(lookAt(T3)).resolves.toMatchObject({
      name: "t3",
      source: "src/",
      next: { major: 15, publicFiles: [] },
      alias: "~/",
      trpc: {
        file: "src/server/api/trpc.ts",
        builder: "t",
        routerFactory: "createTRPCRouter",
        hasHeaders: true,
        root: "src/server/api/root.ts",
      },
      manager: { name: "pnpm", lockFile: "pnpm-lock.yaml" },
      appUrl: "http://localhost:4000",
    });
  });

  test.each(["express", "hono"] as const)("of %s, with Vite beside it", async (framework) => {
    const files = { ...packageOf({ [framework]: "^4.0.0", vite: "^6.0.0" }), "src/index.js": "" };
    await expect(lookAt(files)).resolves.toMatchObject({ framework, source: "src/", language: "js", next: undefined });
  });

  test.each([
    ["package-lock.json", "npm"],
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["bun.lock", "bun"],
    ["bun.lockb", "bun"],
  ])("with %s is installed by %s", async (lockFile, name) => {
    await expect(lookAt({ ...NEXT_16, [lockFile]: "" })).resolves.toMatchObject({ manager: { name, lockFile } });
  });

  test("in a workspace has the lock file of its root", async () => {
    const root = projectWith({
      "pnpm-lock.yaml": "",
      "apps/shop/app/page.tsx": "",
      "apps/shop/package.json": NEXT_16["package.json"],
    });
    made.push(root);
    const seen = await look(`${root}/apps/shop`, {}, askNobody);
    expect(seen.manager).toMatchObject({ name: "pnpm", lockFile: "../../pnpm-lock.yaml" });
  });

  test("in a workspace, whose tRPC is in a package that it depends on, under the path of its own route", async () => {
    const root = projectWith({
      "apps/shop/app/(site)/rpc/[trpc]/route.ts": "export { handler as GET };\n",
      "apps/shop/package.json": { dependencies: { next: "16.4.6", "@acme/api": "*", "@acme/ui": "*", zod: "4" } },
      "packages/api/package.json": { name: "@acme/api" },
      "packages/api/src/index.ts": "export const t = initTRPC.context<Context>().create();\n",
      "packages/ui/package.json": { name: "@acme/ui" },
      "node_modules/zod/package.json": { name: "zod" },
      "node_modules/zod/index.ts": "const t = initTRPC.create();\n",
    });
    made.push(root);
    mkdirSync(`${root}/node_modules/@acme`);
    for (const name of ["api", "ui"]) symlinkSync(`../../packages/${name}`, `${root}/node_modules/@acme/${name}`);
    const seen = await look(`${root}/apps/shop`, {}, askNobody);
    expect(seen.trpc).toMatchObject({
      file: "../../packages/api/src/index.ts",
      neighbour: { name: "@acme/api", folder: "../../packages/api" },
      hasHeaders: false,
      endpoint: "/rpc",
    });
  });
});

describe("PK-19 what is open is an error with exit code 2 that says what was seen", () => {
  test.each([
    ["no package.json", { "README.md": "" }, /has no package\.json/],
    ["package.json that is no JSON", { "package.json": "{" }, /package\.json is not valid JSON/],
    ["none of the frameworks", packageOf({ fastify: "5" }), /none of next, express and hono/],
    ["Vite alone", packageOf({ vite: "6" }), /has vite, and no server/],
    ["the root of a workspace", packageOf({}, { workspaces: ["apps/*"] }), /root of a workspace.*sign in to\.$/],
    [
      "the root of a workspace with apps",
      {
        ...packageOf({}, { workspaces: { packages: ["apps/*", "till"] } }),
        "apps/shop/package.json": { dependencies: { next: "16.4.6" } },
        "apps/docs/package.json": {},
        "till/package.json": { dependencies: { hono: "4" } },
      },
      /sign in to: apps\/shop \(next\), till \(hono\)\.$/,
    ],
    [
      "the root of a pnpm workspace",
      {
        ...packageOf({}),
        "pnpm-workspace.yaml": "packages:\n  # all\n  - 'apps/*'\n\ncatalog:\n  - other\n",
        "apps/shop/package.json": { dependencies: { express: "5" } },
      },
      /sign in to: apps\/shop \(express\)\.$/,
    ],
    ["the Pages Router", { ...packageOf({ next: "16.0.0" }), "pages/index.js": "" }, /only the App Router/],
    [
      "an old Next",
      { ...packageOf({ next: "14.2.0" }), "app/page.js": "" },
      /Next 14\.2\.0 does not fit: use 15\.5\.18/,
    ],
    [
      "an old Next 15 that is installed",
      {
        ...packageOf({ next: "^15.2.0" }),
        "app/page.js": "",
        "node_modules/next/package.json": { version: "15.5.17" },
      },
      /Next 15\.5\.17 does not fit/,
    ],
    [
      "a Next that is newer than this",
      { ...packageOf({ next: "17" }), "app/page.js": "" },
      /Next 17\.0\.0 does not fit/,
    ],
    ["two frameworks", packageOf({ express: "5", hono: "4" }), /express and hono.*--framework: express, hono/],
    ["two lock files", { ...NEXT_16, "yarn.lock": "", "bun.lock": "" }, /yarn\.lock and bun\.lock.*--package-manager/],
    ["two files with initTRPC", { ...T3, "src/other.ts": "const t = initTRPC.create()" }, /src\/other\.ts.*--trpc/],
  ])("%s", async (_, files, message) => {
    await expect(lookAt(files as Parameters<typeof projectWith>[0])).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(message),
    });
  });

  test("flags answer it", async () => {
    const both = packageOf({ express: "5", hono: "4" });
    await expect(lookAt(both, { framework: "hono" })).resolves.toMatchObject({ framework: "hono" });
    const locks = { ...NEXT_16, "yarn.lock": "", "bun.lock": "" };
    await expect(lookAt(locks, { packageManager: "bun" })).resolves.toMatchObject({
      manager: { lockFile: "bun.lock" },
    });
    const trpcs = { ...T3, "src/other.ts": "const builder = initTRPC.create()" };
    await expect(lookAt(trpcs, { trpc: "src/other.ts" })).resolves.toMatchObject({ trpc: { builder: "builder" } });
  });

  test("and so does the user, where there is a terminal", async () => {
    const lastChoice: Ask = async ({ choices }) => choices[choices.length - 1]?.value as never;
    await expect(lookAt(packageOf({ express: "5", hono: "4" }), {}, lastChoice)).resolves.toMatchObject({
      framework: "hono",
    });
  });
});
