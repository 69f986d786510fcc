import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { pack } from "../../scripts/pack/pack.mjs";
import { SQLITE } from "../../scripts/pack/sqlite.mjs";
import { buildStarter, forgetNpx, git, type Starter } from "../harness/starters.ts";
import { expect, test } from "./stage.ts";
import { newStarterProduct, type Packed, type StarterProduct, takeBack } from "./starter-product.ts";

// Starters as the registry serves them, with the packed packages and without a script at installation: from `init` to
// `init --undo`.

test.describe.configure({ mode: "default" }); // each keeps both cores busy
test.use({ isolated: true }); // products on ports of their own

let packed: Packed;
let product: StarterProduct | undefined;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  const work = await mkdtemp(join(tmpdir(), "gatehouse-starters-"));
  await pack("sdk", { to: work });
  const [sqlite, server] = [await pack(SQLITE, { to: work }), await pack("server", { to: work })];
  packed = { work, tarballs: [server.tarball, sqlite.tarball] };
});
test.afterEach(() => product?.stop());
test.afterAll(async () => {
  await forgetNpx(packed.tarballs);
  await rm(packed.work, { recursive: true, force: true });
});

/** A page with an Action, which a developer adds. */
const ACTION = {
  "ask/page.tsx": `import { Ask } from "./ask";
export default function Page() {
  return <Ask />;
}
`,
  "ask/ask.tsx": `"use client";
import { useState } from "react";
import { whoAmI } from "./actions";

export function Ask() {
  const [answer, setAnswer] = useState("not asked");
  return (
    <p>
      <button type="button" onClick={async () => setAnswer(await whoAmI())}>Who am I?</button> {answer}
    </p>
  );
}
`,
  "ask/actions.ts": `"use server";
import { auth } from "FROM/auth";

export async function whoAmI(): Promise<string> {
  const { user } = await auth.protect();
  return \`You are \${user.email}\`;
}
`,
};

for (const starter of ["create-t3-app", "create-next-app 16", "create-next-app 15"] as const satisfies Starter[])
  test(`PK-66 PK-67 PK-42 PK-35 PK-21 ${starter}: two commands to a guarded page; built, it has an Action; undo takes all back`, async ({
    page,
  }) => {
    test.setTimeout(900_000);
    const shop = await newStarterProduct(starter, packed);
    product = shop;
    const hasProcedure = starter === "create-t3-app";

    const began = performance.now();
    const { code, said } = await shop.init();
    expect([code, said.trim().split("\n").length <= 12]).toEqual([0, true]); // PK-24
    const initSeconds = secondsSince(began);
    await shop.start("npm", "run", "dev:auth");
    await seeGuardedPage(page, shop, { hasProcedure });
    // The aim is 120 s on two cores that do nothing else, with a warm npm cache.
    const seconds = secondsSince(began).toFixed(1);
    process.stdout.write(`${starter}: ${seconds} s, of which init ${initSeconds.toFixed(1)} s\n`);
    await page.goto("about:blank"); // a page in development notices that its server is gone
    await shop.stop();
    await page.context().clearCookies();

    const added = await addAction(shop.project);
    await buildStarter(shop.project);
    await shop.start("npx", "--no-install", "gatehouse", "dev", ...shop.ports, "--", "npm", "start");
    const email = await seeGuardedPage(page, shop, { hasProcedure });
    await page.goto(`${shop.app}/ask`);
    await page.getByRole("button", { name: "Who am I?" }).click();
    await expect(page.getByText(`You are ${email}`)).toBeVisible();
    await page.goto(`${shop.app}/protected`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${shop.app}/`);
    await page.goto(`${shop.app}/ask`);
    await expect(page).toHaveURL(new RegExp(`^${shop.issuer}/sign-in`));
    await shop.stop();

    await rm(added, { recursive: true });
    expect((await shop.check()).said).toMatch(/^All \d+ are covered/m);
    expect(await readFile(join(shop.project, ".gitignore"), "utf8")).toContain(".gatehouse/");
    await takeBack(shop);
  });

/** Where each sets up its routes. */
const MAIN_FILES = [
  ["Express 4", "app.js"],
  ["Express 5", "app.js"],
  ["Hono", "src/index.ts"],
  ["create-vite with Hono", "server.ts"],
] as const satisfies [Starter, string][];
for (const [starter, main] of MAIN_FILES)
  test(`PK-66 PK-35 PK-21 PK-20 ${starter}: the lines that init prints sign users in and out; undo takes all else back`, async ({
    page,
  }) => {
    test.setTimeout(600_000);
    const shop = await newStarterProduct(starter, packed);
    product = shop;
    const { code, said } = await shop.init();
    expect(code).toBe(3); // two lines are left to do
    const isVite = starter === "create-vite with Hono";
    await mount(shop.project, said, main);
    if (isVite) await writeFile(join(shop.project, "src/App.tsx"), APP_WITH_HOOK);
    if (isVite || starter === "Hono") await buildStarter(shop.project);
    await shop.start("npm", "run", "dev:auth");

    await page.goto(`${shop.app}/`);
    if (isVite) await expect(page.getByText("signed-out nobody")).toBeVisible();
    await page.goto(`${shop.app}/protected`);
    const email = await shop.signIn(page);
    await expect(page).toHaveURL(`${shop.app}/protected`);
    await expect(page.getByText(email)).toBeVisible();
    await page.goto(`${shop.app}/`);
    if (isVite) await expect(page.getByText(`signed-in ${email}`)).toBeVisible();
    await page.evaluate(`document.body.innerHTML = '<form method="post" action="/auth/sign-out"><button>Out'`);
    await page.getByRole("button", { name: "Out" }).click();
    await expect(page).toHaveURL(`${shop.app}/`);
    await page.goto(`${shop.app}/protected`);
    await expect(page).toHaveURL(new RegExp(`^${shop.issuer}/sign-in`));
    await shop.stop();

    await git(shop.project, "checkout", "--", ...(await changedBy(shop.project)));
    await takeBack(shop);
  });

const APP_WITH_HOOK = `import { useUser } from "@gatehouse/sdk/react";

export default function App() {
  const { status, user } = useUser();
  return <p>{status} {user?.email ?? "nobody"}</p>;
}
`;

/** Signs in from the guarded page, and calls the procedure. Returns the user's address. */
async function seeGuardedPage(
  page: Page,
  { app, signIn }: StarterProduct,
  { hasProcedure }: { hasProcedure: boolean },
): Promise<string> {
  await page.goto(`${app}/`);
  if (hasProcedure) expect((await page.request.get(`${app}/api/trpc/account.me`)).status()).toBe(401);
  await page.goto(`${app}/protected`);
  const email = await signIn(page);
  await expect(page.getByText("Signed in as")).toBeVisible();
  if (hasProcedure) {
    const answer = await page.request.get(`${app}/api/trpc/account.me`);
    expect([answer.status(), await answer.text()]).toEqual([200, expect.stringContaining(email)]);
  }
  return email;
}

/** The folder of the page. */
async function addAction(project: string): Promise<string> {
  const source = await readFile(join(project, "src/auth.ts"), "utf8").then(
    () => "src/",
    () => "",
  );
  for (const [file, text] of Object.entries(ACTION)) {
    const path = join(project, `${source}app`, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text.replace("FROM", "../.."));
  }
  return join(project, `${source}app/ask`);
}

/** Adds the lines that init prints: the import first, the others once there is an app. */
async function mount(project: string, said: string, file: string): Promise<void> {
  const lines = said.split("\n").flatMap((line) => /^ {4}(\S.*)$/.exec(line)?.[1] ?? []);
  const [first = "", ...others] = lines;
  const text = await readFile(join(project, file), "utf8");
  const fromRoot = file === "server.ts" ? first.replace("./", "./src/") : first;
  const [start, rest] = text.split(/(?<=const app = .*;\n)/);
  await writeFile(join(project, file), `${fromRoot}\n${start}${others.join("\n")}\n${rest}`);
}

/** Files of the starter that the test has changed; init appends to the others. */
async function changedBy(project: string): Promise<string[]> {
  const changed = (await git(project, "diff", "--name-only")).trim().split("\n");
  return changed.filter((file) => !["package.json", "package-lock.json", ".gitignore"].includes(file));
}

const secondsSince = (began: number) => (performance.now() - began) / 1000;
