import { PASSWORD } from "../harness/fixture.ts";
import { newProof } from "../harness/flow.ts";
import { createUser } from "./people.ts";
import { expect, expectAccessible, full, issuer, test } from "./stage.ts";

// Every page by its address. A new page adds a line here. AX-01.

const consent = `/authorize?${new URLSearchParams({
  response_type: "code",
  client_id: "web",
  redirect_uri: "https://app.example/cb",
  scope: "openid email api:read",
  code_challenge: newProof().challenge,
  code_challenge_method: "S256",
  prompt: "consent",
})}`;

const SIGNED_OUT = [
  "/",
  "/sign-in",
  "/sign-up",
  "/forgot-password",
  "/sign-in/code",
  "/invitation",
  "/reset-password",
  "/verify-email",
  "/refused",
  "/logout",
  "/no/such/page",
];
const ACCOUNT_PAGES = ["/account", "/account/security", "/account/sessions", "/account/apps", "/account/activity"];
const SIGNED_IN = [
  ...ACCOUNT_PAGES,
  "/account/password",
  "/account/email",
  "/account/export",
  "/account/delete",
  "/sign-in/confirm?next=/account",
  "/device",
  consent,
];

/** Without test:full, a visitor reads English and a signed-in user Arabic. */
for (const locale of ["en", "ar"] as const) {
  test.describe(`AX-01 in ${locale}, in light and dark and on a phone`, () => {
    test.use({ locale });

    if (full || locale === "en")
      test("the pages of a visitor", async ({ page }) => {
        for (const path of SIGNED_OUT) {
          await page.goto(issuer + path);
          await expect(page.locator("html")).toHaveAttribute("dir", locale === "ar" ? "rtl" : "ltr");
          await expectAccessible(page);
        }
      });

    if (full || locale === "ar")
      test("the pages of a signed-in user", async ({ page }) => {
        // Other tests save a language for theirs
        const email = await createUser(`pages-${locale}-${Date.now()}`, { displayName: "Ada" });
        await page.goto(`${issuer}/sign-in`);
        await page.locator("#email").fill(email);
        await page.locator("#password").fill(PASSWORD);
        await page.locator("form[action='/sign-in'] button[type=submit]").first().click();
        await expect(page).toHaveURL(`${issuer}/account`);
        for (const path of SIGNED_IN) {
          await page.goto(issuer + path);
          await expectAccessible(page);
          await expect(page.locator("html")).toHaveAttribute("lang", locale);
        }
      });
  });
}
