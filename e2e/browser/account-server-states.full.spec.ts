import { fixture } from "../harness/fixture.ts";
import { BROWSER_ENGINE, type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { failInARow } from "../harness/guessing.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { check, submit } from "./account-states.ts";
import { environment, expect, issuer, test } from "./stage.ts";

// Pages that only a server with other settings, or after many wrong passwords, has. AX-01.

test("AX-01 an account whose password is guessed", async ({ page }) => {
  const email = `guessed-${Date.now()}@example.com`;
  await failInARow(email, environment);
  await page.goto(`${issuer}/sign-in`);
  await submit(page, "/sign-in", { email, password: "a wrong password" });
  await expect(page).toHaveURL((url) => url.pathname === "/sign-in/new-browser");
  await check(page, "code for a new browser", () => page.reload());
  await check(page, "code sent, refused", async () => {
    await page.goto(`${issuer}/sign-in/new-browser?${new URLSearchParams({ email })}`);
    await submit(page, "/sign-in/new-browser", {});
    await submit(page, "/sign-in/new-browser", { code: "00000000" });
    await expect(page.getByRole("alert")).toBeVisible();
  });
});

test.describe("with sign-in providers, and addresses that are proved first", () => {
  let own: Gatehouse;
  test.beforeAll(async () => {
    own = await startGatehouse({
      engine: BROWSER_ENGINE,
      fixture: fixture(),
      settings: { GATEHOUSE_EMAIL_VERIFICATION: "first" },
    });
  });
  test.afterAll(() => own?.stop());

  async function addProvider(id: string, settings: object): Promise<void> {
    const draft = { id, preset: "github", name: `Provider ${id}`, clientId: id, secret: id, settings };
    dataOf(await mutate(own.issuer, "signInProviders.create", draft, await consoleToken(own.issuer, "admin")));
  }

  test("AX-01 sign-in and sign-up with providers, routed by domain, and an address to prove", async ({ page }) => {
    await addProvider("free", {});
    await check(page, "sign-in with a provider", () => page.goto(`${own.issuer}/sign-in`), own.issuer);
    await check(page, "sign-up with a provider", () => page.goto(`${own.issuer}/sign-up`), own.issuer);
    await check(
      page,
      "sign-up, code asked",
      async () => {
        await page.goto(`${own.issuer}/sign-up`);
        const email = `first-${Date.now()}@example.com`;
        await submit(page, "/sign-up", { name: "Ada", email, password: "correct horse battery staple" });
        await submit(page, "/verify-email", { code: "00000000" });
        await expect(page.getByRole("alert")).toBeVisible();
      },
      own.issuer,
    );
    await addProvider("bound", { domains: ["company.example"] });
    await check(page, "sign-in by address", () => page.goto(`${own.issuer}/sign-in`), own.issuer);
  });
});
