import type { Page } from "@playwright/test";
import { framed, run } from "./branding.ts";
import {
  adminUrl,
  createApplication,
  expect,
  expectAccessible,
  expectSaved,
  issuer,
  openConsole,
  save,
  test,
} from "./stage.ts";

// The refused save answers 409.
test.use({ provoked: [409] });

// One installation has one logo, and pages of every application show it.
test.describe.configure({ mode: "default" });

test("CO-45 CO-68 the second to save a branding sees both values", async ({ page, context }) => {
  await openConsole(page, "admin");
  await createApplication(page, `Rebranded ${run}`);
  await expect(page.getByRole("heading", { level: 1, name: `Rebranded ${run}` })).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(async () => {
    await other.getByLabel("Display name").fill("Theirs");
    await expect(other.getByRole("button", { name: "Save", exact: true })).toBeEnabled({ timeout: 1_000 });
  }).toPass();
  await page.getByLabel("Display name").fill("Mine");
  await save(other, "Save");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Theirs");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expectSaved(page, "Save");
  await page.reload();
  await expect(page.getByLabel("Display name")).toHaveValue("Mine");
});

test("CO-68 the installation's branding is previewed before it is saved", async ({ page }) => {
  await openConsole(page, "admin", "/settings/branding");
  await page.getByRole("textbox", { name: "Product name" }).fill("House of tests");
  const shown = framed(page, "The sign-in page, light theme");
  await expect(shown.getByRole("link", { name: "House of tests" })).toBeVisible();
  await page.getByRole("textbox", { name: "Support" }).fill("https://example.com/help");
  await expect(shown.getByRole("link", { name: "Support" })).toBeVisible();
  await page.getByRole("textbox", { name: "Support" }).fill("not a URL");
  await expect(
    page.getByText("The preview leaves out “not a URL”, which must be a URL that starts with https://."),
  ).toBeVisible();
  await expect(shown.getByRole("link", { name: "House of tests" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("textbox", { name: "Product name" })).not.toHaveValue("House of tests");
  expect(page.url()).toBe(`${adminUrl}/settings/branding`);
});

/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Chooses a file with this button. */
async function choose(
  page: Page,
  button: string,
  { name = "logo.png", content = Buffer.from(PNG, "base64") } = {},
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  await (await chooser).setFiles({ name, mimeType: "image/png", buffer: content });
}

const signInLogo = (page: Page, theme: string) =>
  framed(page, `The sign-in page, ${theme} theme`).locator("header .brand img");

test("CO-68 CO-76 an admin uploads the installation's logo with Save, sees it on the sign-in page, and removes it", async ({
  page,
  browser,
  watched,
}) => {
  const visitor = await browser.newContext();
  watched(visitor);
  const signIn = await visitor.newPage();
  await openConsole(page, "admin", "/settings/branding");
  const logo = page.getByRole("group", { name: "Logo" });

  await choose(page, "Choose logo", {
    name: "logo.svg",
    content: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
  });
  await expect(logo.locator("..").getByRole("alert")).toHaveText("must be a PNG, JPEG or WebP picture");
  await choose(page, "Choose logo", { content: Buffer.alloc(181 * 1024) });
  await expect(logo).toHaveAccessibleDescription(/must be at most 180 KiB/);
  await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();

  await choose(page, "Choose logo");
  await expect(logo.getByRole("img", { name: "New logo" })).toBeVisible();
  const behind = (theme: string) => logo.getByRole("figure", { name: theme, exact: true }).locator("[data-theme]");
  await expect(behind("Light")).toHaveCSS("background-color", "rgb(248, 250, 252)");
  await expect(behind("Dark")).toHaveCSS("background-color", "rgb(11, 18, 34)");
  await expect(page.getByText("1 change: Logo")).toBeVisible();
  await expectAccessible(page);
  await signIn.goto(`${issuer}/sign-in`);
  await expect(signIn.locator("header .brand img")).toHaveCount(0);
  await page.getByRole("link", { name: "Retention" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(logo.getByRole("img")).toHaveCount(0);

  await choose(page, "Choose logo");
  await save(page);
  for (const theme of ["light", "dark"]) await expect(signInLogo(page, theme)).toBeVisible();
  await signIn.reload();
  await expect(signIn.locator("header .brand img")).toHaveAttribute("src", /^\/brand\/logo\?v=\d+$/);
  await expect(signIn.locator("header .brand img")).toHaveJSProperty("naturalWidth", 1);

  await logo.getByRole("button", { name: "Remove logo" }).click();
  await expect(logo.getByText("Removed when you save")).toBeVisible();
  await expect(logo.getByRole("button", { name: "Choose logo" })).toBeFocused();
  await expectAccessible(page);
  await save(page);
  await expect(signInLogo(page, "light")).toHaveCount(0);
  await signIn.reload();
  await expect(signIn.locator("header .brand svg")).toBeVisible();
  await expect(signIn.locator("header .brand img")).toHaveCount(0);
  await visitor.close();
});

test("CO-68 CO-76 an application's logo and settings are saved by one Save", async ({ page }) => {
  await openConsole(page, "admin");
  await createApplication(page, `With logo ${run}`);
  await expect(page.getByRole("heading", { level: 1, name: `With logo ${run}` })).toBeVisible();
  const logo = page.getByRole("group", { name: "Logo" });
  await choose(page, "Choose logo");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(logo.getByRole("img")).toHaveCount(0);
  await choose(page, "Choose logo");
  await page.getByLabel("Display name").fill("With a logo");
  await expect(signInLogo(page, "light")).toHaveCount(0);
  await save(page, "Save");
  await expect(signInLogo(page, "light")).toBeVisible();
  await page.reload();
  await expect(logo.getByRole("img", { name: "Current logo" })).toBeVisible();
  await expect(page.getByLabel("Display name")).toHaveValue("With a logo");
});

test("CO-68 an application's branding is previewed by the server's own pages while it is typed, and saved", async ({
  page,
}) => {
  await openConsole(page, "admin");
  await createApplication(page, `Branded ${run}`);
  await expect(page.getByRole("heading", { level: 1, name: `Branded ${run}` })).toBeVisible();
  await page.getByLabel("Display name").fill("Corner <shop>");
  await page.getByRole("textbox", { name: "Colour" }).fill("#b91c1c");
  for (const theme of ["light", "dark"]) {
    const shown = framed(page, `The sign-in page, ${theme} theme`);
    await expect(shown.getByText("Corner <shop>")).toBeVisible();
    await expect(shown.getByRole("heading", { name: "Sign in" })).toBeVisible();
  }
  const button = (theme: string) =>
    framed(page, `The sign-in page, ${theme} theme`).getByRole("button", { name: "Sign in", exact: true });
  await expect(button("light")).toHaveCSS("background-color", "rgb(185, 28, 28)");
  await expect(button("dark")).not.toHaveCSS("background-color", "rgb(185, 28, 28)");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Pick a colour" }).click();
  await expect(page.getByRole("slider", { name: "Hue" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await page.getByRole("radiogroup", { name: "Page" }).getByText("Consent").click();
  await expect(framed(page, "The consent page, dark theme").getByRole("button", { name: "Allow" })).toBeVisible();
  await page.getByRole("radiogroup", { name: "Page" }).getByText("Device").click();
  await expect(framed(page, "The device page, light theme").getByText("WDJB-MJHT")).toBeVisible();

  await save(page, "Save");
  await page.reload();
  await expect(page.getByLabel("Display name")).toHaveValue("Corner <shop>");
});
