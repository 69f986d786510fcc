import { PASSWORD } from "../harness/fixture.ts";
import { createUser } from "./people.ts";
import { expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

test("SL-01 SL-03 \"I can't sign in\" is answered on the user's page, and the list finds an address that nobody has", async ({
  page,
  browser,
}) => {
  const name = "Cannot Sign In";
  const email = await createUser("cannot-sign-in", { displayName: name });
  const context = await browser.newContext();
  const visitor = await context.newPage();
  const attempt = async (address: string, password: string) => {
    await visitor.goto(`${issuer}/sign-in`);
    await visitor.getByLabel("Email").fill(address);
    await visitor.getByLabel("Password", { exact: true }).fill(password);
    const answered = visitor.waitForResponse((response) => response.request().method() === "POST");
    await visitor.getByRole("button", { name: "Sign in", exact: true }).click();
    return (await answered).headers()["gatehouse-error-id"] ?? "";
  };
  const id = await attempt(email, "not the password");
  await expect(visitor.getByRole("alert")).not.toContainText(id);
  await attempt("nobody-has-this@example.com", PASSWORD);
  await context.close();

  await openConsole(page, "viewer", `/users?${new URLSearchParams({ query: email })}`);
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name: "Sign-ins" })).toBeVisible();
  await page.getByRole("link", { name: "Wrong password" }).click();
  await expect(page.getByRole("heading", { name: "Wrong password", level: 1 })).toBeVisible();
  await expect(page.getByTestId("sign-in-id")).toHaveText(id);
  await expectAccessible(page);

  await page.goto(new URL(`/go/${id}`, page.url()).href);
  await expect(page.getByRole("heading", { name: "Wrong password", level: 1 })).toBeVisible();
  await page.goto(
    new URL(`/sign-ins?${new URLSearchParams({ user: "nobody-has-this@example.com" })}`, page.url()).href,
  );
  const rows = page.getByRole("table", { name: "Sign-ins" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("Unknown address");
  await expect(rows.last()).not.toContainText("nobody-has-this"); // what was typed is for admins
});
