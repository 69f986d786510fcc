import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createUser, signIn } from "@gatehouse/sdk/testing";
import type { Page } from "@playwright/test";
import { build } from "esbuild";
import { startKitProduct } from "../harness/kit-product.ts";
import { VERSIONS } from "../harness/versions.ts";
import { expect, test } from "./stage.ts";

// The products of this file are on other ports, and their pages are their own.
test.use({ isolated: true });

const APP = `
import { createRoot } from "react-dom/client";
import { Show, SignInButton, SignOutButton, UserButton, useUser } from "@gatehouse/sdk/react";

function Status() {
  const { status, user } = useUser();
  return <p data-testid="status">{status} {user?.name ?? "nobody"}</p>;
}
createRoot(document.getElementById("app")).render(
  <main>
    <h1>Product</h1>
    <Status />
    <Status />
    <Show when="signed-in" fallback={<i>For members</i>}>Secret plans</Show>
    <Show when={(user) => user?.name === "Ada"}>Only Ada</Show>
    <Show when="signed-out"><SignInButton /></Show>
    <UserButton><a href="/settings">Settings</a></UserButton>
    <Show when="signed-in"><SignOutButton>Leave</SignOutButton></Show>
  </main>,
);`;
const HTML = `<!doctype html><html lang="en"><head><title>Product</title><link rel="icon" href="data:,"></head>
<body><div id="app"></div><script type="module" src="/app.js"></script></body></html>`;

/** With the React of the workspace, or with this version. */
async function bundle(react?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-react-"));
  try {
    const packages = [`react@${react}`, `react-dom@${react}`];
    const flags = ["--prefix", folder, "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    if (react) await promisify(execFile)("npm", ["install", ...flags, ...packages]);
    return await bundleWith(react ? join(folder, "node_modules") : undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundleWith(libraries: string | undefined): Promise<string> {
  const { outputFiles } = await build({
    ...(libraries && { alias: { react: join(libraries, "react"), "react-dom": join(libraries, "react-dom") } }),
    stdin: { contents: APP, loader: "tsx", resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0]?.text ?? "";
}

const statusOf = (page: Page) => page.getByTestId("status").first();

for (const react of [undefined, VERSIONS.lowest.react])
  test(`PK-55 PK-64 the hooks and buttons follow sign-in and sign-out, in this tab and the others: React ${react ?? "of the workspace"}`, async ({
    browser,
  }) => {
    const product = await startKitProduct({ html: HTML, script: await bundle(react) });
    try {
      const ada = await createUser(product, { name: "Ada" });
      const context = await browser.newContext();
      const [page, other] = [await context.newPage(), await context.newPage()];
      await page.goto(`${product.url}/?plan=1`);
      await expect(statusOf(page)).toHaveText("signed-out nobody");
      expect(product.asked.session).toBe(1);
      await expect(page.getByText("For members")).toBeVisible();
      await other.goto(product.url);
      await expect(statusOf(other)).toHaveText("signed-out nobody");

      await page.getByRole("link", { name: "Sign in" }).first().click();
      await page.getByLabel("Email").fill(ada.email);
      await page.getByLabel("Password", { exact: true }).fill(ada.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("button", { name: "Allow" }).click();
      await expect(page).toHaveURL(`${product.url}/?plan=1`);
      await expect(statusOf(page)).toHaveText("signed-in Ada");
      await expect(page.getByText("Secret plans")).toBeVisible();
      await expect(page.getByText("Only Ada")).toBeVisible();
      await expect(statusOf(other)).toHaveText("signed-in Ada");
      await page.getByText("Ada", { exact: true }).last().click();
      await expect(page.getByRole("link", { name: "Settings" })).toBeVisible();

      await page.getByRole("button", { name: "Leave" }).click();
      await expect(statusOf(other)).toHaveText("signed-out nobody", { timeout: 1000 });
      await context.close();
    } finally {
      await product.stop();
    }
  });

test("PK-59 a test starts signed in with the kit's storageState", async ({ browser }) => {
  const product = await startKitProduct({ html: HTML, script: await bundle() });
  try {
    const storageState = await signIn(product, await createUser(product, { name: "Grace" }));
    const page = await browser.newPage({ storageState });
    await page.goto(product.url);
    await expect(statusOf(page)).toHaveText("signed-in Grace");
    await page.close();
  } finally {
    await product.stop();
  }
});
