import { fixture } from "../harness/fixture.ts";
import { BROWSER_ENGINE, type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { expect, expectAccessibleOnPhoneToo, fillSignIn, test } from "./stage.ts";

// A server of its own: its sign-in page offers providers.
let own: Gatehouse;
test.beforeAll(async () => {
  own = await startGatehouse({ engine: BROWSER_ENGINE, fixture: fixture(), admin: true });
  const token = await consoleToken(own.issuer, "admin");
  for (const [id, preset, name] of [
    ["google", "google", "Google"],
    ["github", "github", "GitHub"],
    ["gitlab", "gitlab", "GitLab"],
    ["work", "google", "Work account"],
  ]) {
    const draft = { id, preset, name, clientId: "of-the-tests", secret: "of-the-tests" };
    dataOf(await mutate(own.issuer, "signInProviders.create", draft, token));
    dataOf(await mutate(own.issuer, "signInProviders.setEnabled", { id, enabled: true }, token));
  }
});
test.afterAll(() => own?.stop());

test("UP-02 AX-01 buttons of providers have their vendors' marks, in both themes and on a phone, and so has the console's list", async ({
  page,
}) => {
  await page.goto(`${own.issuer}/sign-in`);
  const button = (name: string) => page.getByRole("button", { name: `Continue with ${name}`, exact: true });
  for (const name of ["Google", "GitHub"]) await expect(button(name).locator("svg")).toBeVisible();
  for (const name of ["GitLab", "Work account"]) await expect(button(name).locator("svg")).toHaveCount(0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const [background, text] = {
      light: ["rgb(255, 255, 255)", "rgb(31, 31, 31)"],
      dark: ["rgb(19, 19, 20)", "rgb(227, 227, 227)"],
    }[colorScheme];
    await expect(button("Google")).toHaveCSS("background-color", background ?? "");
    await expect(button("Google")).toHaveCSS("color", text ?? "");
    await expectAccessibleOnPhoneToo(page);
  }

  await page.goto(`${own.adminUrl}/sign-in-providers`);
  await fillSignIn(page, "admin");
  const row = (name: string) => page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
  await expect(row("Google").first().locator("svg")).toBeVisible();
  await expect(row("GitLab").locator("svg")).toHaveCount(0);
});
