import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCOPES } from "@gatehouse/auth";
import { readManifest } from "@gatehouse/console/manifest/file/read-manifest";
import { afterEach, describe, expect, test } from "vitest";
import { checkProduct } from "../check/check.ts";
import { init, planOf, variablesFor } from "./init.ts";
import { entryFor, writeJournal } from "./journal.ts";
import type { Plan } from "./plan.ts";
import { describeDone } from "./report.ts";
import { look } from "./seen.ts";
import { filesIn, NEXT_16, projectWith, T3, wishFor } from "./testing/project.ts";
import { undo } from "./undo.ts";
import { askNobody } from "./unsure.ts";
import { write, writtenBy } from "./write.ts";

const made: string[] = [];
afterEach(() => {
  for (const project of made.splice(0)) rmSync(project, { recursive: true });
});

function projectOf(files: Parameters<typeof projectWith>[0]): string {
  const project = projectWith(files);
  made.push(project);
  return project;
}
const folderOf = (project: string) => join(project, ".gatehouse");

async function planIn(project: string): Promise<Plan> {
  const wish = wishFor(project);
  const seen = await look(project, {}, askNobody);
  return planOf(seen, variablesFor(seen, wish), wish);
}
/** What `init` does to the files, without the package manager. */
async function writeIn(project: string): Promise<Plan> {
  const plan = await planIn(project);
  write(project, folderOf(project), plan.changes);
  return plan;
}
const withoutJournal = (project: string) =>
  Object.fromEntries(Object.entries(filesIn(project)).filter(([path]) => !path.startsWith(".gatehouse/")));

describe("what init writes", () => {
  test("PK-13 PK-20 for Next 16: three files and a guarded sample, in the product's own terms", async () => {
    const project = projectOf(NEXT_16);
    const { byHand } = await writeIn(project);
    expect(byHand).toEqual([]);
    const files = filesIn(project);
    expect(files["auth.ts"]).toContain('from "@gatehouse/sdk/next"');
    expect(files["proxy.ts"]).toMatch(
      /from "@\/auth";[\s\S]*"\/",\n {4}"\/api\/webhooks\/:provider",\n {4}"\/next\.svg",\n/,
    );
    expect(files["proxy.ts"]).not.toContain("runtime");
    expect(files["app/auth/[...path]/route.ts"]).toContain("export const { GET, POST } = handlers;");
    expect(files["app/protected/page.tsx"]).toMatch(/<Suspense[\s\S]*await auth\.protect\(\)/);
    expect(files[".gitignore"]).toBe("node_modules\n.env*\n.gatehouse/\n");
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({
      scripts: { dev: "next dev", "dev:auth": "gatehouse dev -- npm run dev" },
      dependencies: { "@gatehouse/sdk": "1.2.3", next: "16.4.6" },
      devDependencies: { "@gatehouse/server": "1.2.3" },
    });
  });

  test("PK-42 nothing that is left open", async () => {
    const handler = `import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
const handler = (req: Request) => fetchRequestHandler({ endpoint: "/api/trpc", req });
export { handler as GET, handler as POST };`;
    for (const files of [NEXT_16, { ...T3, "src/app/api/trpc/[trpc]/route.ts": handler }]) {
      const project = projectOf(files);
      await writeIn(project);
      const { entries } = checkProduct(project);
      expect(entries.length).toBeGreaterThanOrEqual(4);
      expect(entries.filter(({ problem }) => problem)).toEqual([]);
    }
  });

  test("PK-20 for Next 15 with tRPC: middleware on Node, a procedure for signed-in users and a router with one", async () => {
    const project = projectOf(T3);
    await writeIn(project);
    const files = filesIn(project);
    expect(files["src/middleware.ts"]).toMatch(/from "~\/auth"[\s\S]*"\/api\/trpc\(\.\*\)"[\s\S]*runtime: "nodejs"/);
    expect(files["src/proxy.ts"]).toBeUndefined();
    expect(files["src/server/api/trpc.ts"]).toBe(`${T3["src/server/api/trpc.ts"]}
import { requires } from "@gatehouse/sdk/trpc";

/** For signed-in users: \`ctx.auth\` says who it is. */
export const protectedProcedure = t.procedure.use(requires());
`);
    expect(files["src/server/api/root.ts"]).toBe(`import { createTRPCRouter } from "./trpc";
export const appRouter = createTRPCRouter({
  account: accountRouter,
  post: postRouter,
});

import { accountRouter } from "./routers/account";
`);
    expect(files["src/server/api/routers/account.ts"]).toContain('from "../trpc"');
  });

  test("PK-11 PK-22 PK-23 four variables, of which the secret is generated, and a client that the server accepts", async () => {
    const project = projectOf(T3);
    const wish = wishFor(project, { urls: { production: "https://shop.example.com" }, scopes: ["api:read"] });
    const seen = await look(project, {}, askNobody);
    const { changes } = planOf(seen, variablesFor(seen, wish), wish);
    write(project, folderOf(project), changes);
    const files = filesIn(project);
    expect(files[".env.local"]).toMatch(
      /^GATEHOUSE_ISSUER=http:\/\/localhost:3300\nGATEHOUSE_CLIENT_ID=t3-dev\nGATEHOUSE_CLIENT_SECRET=[\w-]{43}\nGATEHOUSE_APP_URL=http:\/\/localhost:4000\n$/,
    );
    expect(statSync(join(project, ".env.local")).mode & 0o777).toBe(0o600);
    const text = files["gatehouse.json"] ?? "";
    const { applications } = readManifest(text, { scopes: SCOPES }, () => "");
    expect(applications[0]?.environments?.development).toMatchObject({
      client_id: "t3-dev",
      type: "web",
      first_party: true,
      redirect_uris: ["http://localhost:4000/auth/callback"],
      post_logout_redirect_uris: ["http://localhost:4000/"],
      options: {
        backchannelLogoutUri: "http://localhost:4000/auth/backchannel-logout",
        idTokenAlgorithm: "ES256",
        rotateRefreshTokens: false,
      },
      scopes: ["openid", "profile", "email", "offline_access", "api:read"],
    });
    expect(applications[0]?.environments?.production).toMatchObject({
      client_id: "t3",
      redirect_uris: ["https://shop.example.com/auth/callback"],
    });
    expect(text).not.toContain("secret");
  });

  test.each(["express", "hono"])("PK-20 for %s: the module, and by hand where it is mounted", async (framework) => {
    const project = projectOf({ "package.json": { name: "api", dependencies: { [framework]: "^4.0.0" } } });
    const { byHand } = await writeIn(project);
    expect(filesIn(project)["auth.js"]).toContain(`from "@gatehouse/sdk/${framework}"`);
    expect(byHand.map(({ lines }) => lines)).toEqual([expect.stringContaining("app.use(handlers); // first")]);
  });

  test.each([
    ["./auth.js", undefined],
    ["./auth.js", { module: "NodeNext" }],
    ["./auth.ts", { allowImportingTsExtensions: true }],
    ["./auth.ts", { rewriteRelativeImportExtensions: true }],
  ])("PK-20 the line to add imports %s, as the compiler with %j takes it", async (path, compilerOptions) => {
    const tsconfig = compilerOptions && { "tsconfig.json": { compilerOptions } };
    const { byHand } = await writeIn(projectOf({ "package.json": { dependencies: { hono: "^4.0.0" } }, ...tsconfig }));
    expect(byHand[0]?.lines).toContain(`from "${path}"`);
  });

  test.each(["proxy.ts", "middleware.ts"])("PK-20 %s stays, and the lines for it are printed", async (path) => {
    const project = projectOf({ ...NEXT_16, [path]: "export default () => {};\n" });
    const { byHand } = await writeIn(project);
    expect(filesIn(project)[path]).toBe("export default () => {};\n");
    expect(byHand).toEqual([
      { reason: `${path} stays as it is. Add to it:`, lines: expect.stringContaining("public: [") },
    ]);
  });

  test("PK-20 beside auth.ts of another library nothing is written that imports from it", async () => {
    const project = projectOf({ ...NEXT_16, "auth.ts": "export const { auth } = NextAuth({});\n" });
    const { byHand } = await writeIn(project);
    expect(byHand).toHaveLength(4);
    expect(filesIn(project)).not.toHaveProperty("proxy.ts");
  });

  test("PK-20 a gatehouse.json of another application stays, and a procedure of that name, too", async () => {
    const own = { applications: [{ name: "Till", environments: { development: { client_id: "till" } } }] };
    const trpc = `${T3["src/server/api/trpc.ts"]}export const protectedProcedure = t.procedure;\n`;
    const project = projectOf({ ...T3, "gatehouse.json": own, "src/server/api/trpc.ts": trpc });
    const { byHand } = await writeIn(project);
    expect(JSON.parse(filesIn(project)["gatehouse.json"] ?? "")).toEqual(own);
    expect(byHand.map(({ reason }) => reason)).toEqual([
      "src/server/api/trpc.ts stays as it is. Add to it:",
      "gatehouse.json stays as it is. Add to it:",
    ]);
  });

  test("PK-20 another package of the workspace is not written to: what its tRPC needs is printed", async () => {
    const root = projectOf({
      "apps/shop/app/page.tsx": "",
      "apps/shop/package.json": { dependencies: { next: "16.4.6", "@acme/api": "*" } },
      "packages/api/package.json": { name: "@acme/api" },
      "packages/api/trpc.ts": "export const t = initTRPC.context<{}>().create();\n",
    });
    mkdirSync(join(root, "node_modules/@acme"), { recursive: true });
    symlinkSync("../../packages/api", join(root, "node_modules/@acme/api"));
    const project = join(root, "apps/shop");
    const before = filesIn(join(root, "packages"));
    const { byHand } = await writeIn(project);
    expect(filesIn(join(root, "packages"))).toEqual(before);
    expect(filesIn(project)["proxy.js"]).toContain('"/api/trpc(.*)"');
    expect(byHand).toEqual([
      {
        reason: expect.stringContaining("@acme/api"),
        lines: expect.stringMatching(/requires\(\)[\s\S]*request\.headers/),
      },
      { reason: expect.stringContaining("../../packages/api/package.json"), lines: '"@gatehouse/sdk": "1.2.3"' },
    ]);
    writeFileSync(join(root, "packages/api/trpc.ts"), `${byHand[0]?.lines}`);
    expect((await planIn(project)).byHand).toEqual([]);
  });

  test("PK-20 the secret and the variables that .env.local has stay", async () => {
    const env = "OTHER=1\nGATEHOUSE_CLIENT_ID=mine\nGATEHOUSE_CLIENT_SECRET=kept-0123456789012345";
    const project = projectOf({ ...NEXT_16, ".env.local": env });
    await writeIn(project);
    const files = filesIn(project);
    expect(files[".env.local"]).toBe(
      `${env}\nGATEHOUSE_ISSUER=http://localhost:3300\nGATEHOUSE_APP_URL=http://localhost:3000\n`,
    );
    expect(files["gatehouse.json"]).toContain('"client_id": "mine"');
  });

  test("PK-20 package.json keeps its indentation and its line ends", async () => {
    const text = '{\r\n\t"name": "shop",\r\n\t"dependencies": {\r\n\t\t"next": "16.4.6"\r\n\t}\r\n}\r\n';
    const project = projectOf({ ...NEXT_16, "package.json": text });
    await writeIn(project);
    const after = filesIn(project)["package.json"] ?? "";
    expect(after.startsWith(text.slice(0, text.indexOf('"next"')))).toBe(true);
    expect(after.split("\n").every((line) => line === "" || line.endsWith("\r"))).toBe(true);
  });
});

describe("PK-21 a second run, a dry run and undo", () => {
  test.each([
    ["Next 16", NEXT_16],
    ["Next 15 with tRPC", T3],
    ["Express", { "package.json": { name: "api", dependencies: { express: "5" } } }],
  ])("%s: a second run writes nothing", async (_, files) => {
    const project = projectOf(files);
    await writeIn(project);
    const after = filesIn(project);
    expect((await writeIn(project)).changes).toEqual([]);
    expect(filesIn(project)).toEqual(after);
  });

  test("a dry run writes nothing and shows no secret", async () => {
    const project = projectOf(T3);
    const before = filesIn(project);
    const { code, text } = await init(wishFor(project), askNobody);
    expect(code).toBe(0);
    expect(text).toMatch(/\+\+\+ b\/src\/auth\.ts\n[\s\S]*GATEHOUSE_CLIENT_SECRET=…\n[\s\S]*Nothing was written/);
    expect(filesIn(project)).toEqual(before);
  });

  test("something left to do by hand is exit code 3", async () => {
    const project = projectOf({ ...NEXT_16, "middleware.ts": "export {};\n" });
    await expect(init(wishFor(project), askNobody)).resolves.toMatchObject({ code: 3 });
  });

  test.each([
    ["Next 16", NEXT_16],
    ["Next 15 with tRPC", T3],
  ])("%s: undo restores every file and removes the folders", async (_, files) => {
    const project = projectOf(files);
    chmodSync(join(project, "package.json"), 0o640);
    const before = filesIn(project);
    await writeIn(project);
    await writtenBy(project, folderOf(project), "package-lock.json", async () => {
      writeFileSync(join(project, "package-lock.json"), "{}");
    });
    expect(undo(project, folderOf(project))).toMatchObject({ left: [] });
    expect(filesIn(project)).toEqual(before);
    expect(statSync(join(project, "package.json")).mode & 0o777).toBe(0o640);
    expect(undo(project, folderOf(project))).toEqual({ restored: [], left: [] });
  });

  test("undo leaves what has changed since, and names it", async () => {
    const project = projectOf(NEXT_16);
    await writeIn(project);
    writeFileSync(join(project, "auth.ts"), "// mine now\n");
    const { restored, left } = undo(project, folderOf(project));
    expect(left).toEqual(["auth.ts"]);
    expect(restored).toContain("package.json");
    expect(withoutJournal(project)).toEqual({ ...withoutJournal(projectOf(NEXT_16)), "auth.ts": "// mine now\n" });
  });

  test.each([0, 1, 4, 9])("an interruption after %i files is undone", async (count) => {
    const project = projectOf(T3);
    const before = filesIn(project);
    const { changes } = await planIn(project);
    writeJournal(
      folderOf(project),
      changes.map(({ path, after }) => entryFor(project, path, after)),
    );
    const journal = filesIn(project)[".gatehouse/init.json"] ?? "";
    write(project, folderOf(project), changes.slice(0, count)); // writes its own journal, too
    writeFileSync(join(folderOf(project), "init.json"), journal);
    undo(project, folderOf(project));
    expect(filesIn(project)).toEqual(before);
  });

  test("an installation that failed is undone", async () => {
    const project = projectOf({ ...NEXT_16, "package-lock.json": "{}\n" });
    const before = filesIn(project);
    await writeIn(project);
    const install = writtenBy(project, folderOf(project), "package-lock.json", async () => {
      writeFileSync(join(project, "package-lock.json"), '{ "half": ');
      throw new Error("no network");
    });
    await expect(install).rejects.toThrow("no network");
    undo(project, folderOf(project));
    expect(filesIn(project)).toEqual(before);
  });
});

test("PK-24 the report has at most twelve lines, and no secret", async () => {
  const project = projectOf(T3);
  const wish = wishFor(project);
  const seen = await look(project, {}, askNobody);
  const variables = variablesFor(seen, wish);
  const plan = planOf(seen, variables, wish);
  const text = describeDone({
    plan,
    clientId: "t3-dev",
    manager: seen.manager,
    sample: "http://localhost:4000/protected",
  });
  expect(text.split("\n").length).toBeLessThanOrEqual(12);
  expect(text).not.toContain(variables.GATEHOUSE_CLIENT_SECRET);
  expect(text).toMatch(
    /Written .*src\/auth\.ts[\s\S]*Registered +t3-dev[\s\S]*pnpm run dev:auth[\s\S]*\/protected[\s\S]*init --undo/,
  );
});
