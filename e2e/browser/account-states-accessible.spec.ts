import { PASSWORD } from "../harness/fixture.ts";
import { check, submit } from "./account-states.ts";
import { newUser, refuse } from "./account-states-accessible.ts";
import { expect, issuer, test } from "./stage.ts";

// The account pages in the states that pages-accessible.spec.ts, which opens each page by its address, does not reach: with entries, with
// errors, after a mailed link. AX-01.

test("AX-01 the forms of a visitor, refused", async ({ page }) => {
  const { email } = await newUser("refused");
  await check(page, "sign-in", () => refuse(page, "/sign-in", "/sign-in", { email, password: "a wrong password" }));
  await check(page, "sign-up, password", () =>
    refuse(page, "/sign-up", "/sign-up", { name: "Ada", email: "new@example.com", password: "short" }),
  );
  await check(page, "sign-up, taken", () => refuse(page, "/sign-up", "/sign-up", { name: "Ada", email, password: PASSWORD }));
  await check(page, "forgot password", () => refuse(page, "/forgot-password", "/forgot-password", { email: "nobody" }));
  await check(page, "reset sent", async () => {
    await page.goto(`${issuer}/forgot-password`);
    await submit(page, "/forgot-password", { email: "nobody@example.com" });
  });
  await check(page, "mailed code", async () => {
    await page.goto(`${issuer}/sign-in`);
    await submit(page, "/sign-in", { email: "nobody@example.com" }, 'button[formaction="/sign-in/code"]');
    await submit(page, "/sign-in/code", { code: "00000000" });
    await expect(page.getByRole("alert")).toBeVisible();
  });
});
