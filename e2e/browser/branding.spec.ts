import { framed, run } from "./branding.ts";
import { createApplication, expect, expectAccessible, openConsole, save, test } from "./stage.ts";

// The refused save answers 409.
test.use({ provoked: [409] });

// One installation has one logo, and pages of every application show it.
test.describe.configure({ mode: "default" });

test("CO-68 an application's branding is previewed by the server's own pages while it is typed, and saved", async ({ page }) => {
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
  const button = (theme: string) => framed(page, `The sign-in page, ${theme} theme`).getByRole("button", { name: "Sign in", exact: true });
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
