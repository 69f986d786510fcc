import { CLIENTS, emailOf } from "../harness/fixture.ts";
import { callApi, obtainTokens, refresh, signIn } from "../harness/flow.ts";
import { expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

/** Nobody else in the browser tests. */
const PERSON = "refresh";

test("CO-62 take-access-back: an admin revokes an app's access to a user, offline access included", async ({
  page,
}) => {
  const { web } = CLIENTS;
  const tokens = await obtainTokens(await signIn(issuer, PERSON), web, { scope: "api:read offline_access" });
  expect((await callApi(issuer, tokens.access)).status).toBe(200);

  await openConsole(page, "admin", `/go/${encodeURIComponent(emailOf(PERSON))}`);
  const apps = page.getByRole("region", { name: "Connected apps" }).getByRole("table");
  const row = apps.getByRole("row").filter({ hasText: "offline_access" });
  await expect(row).toContainText("Production");
  await expectAccessible(page);
  await row.getByRole("button", { name: /^Revoke/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Asked by phone");
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(row).toHaveCount(0);

  expect((await callApi(issuer, tokens.access)).status).toBe(401);
  expect((await refresh(issuer, web, tokens.refresh)).status).toBe(400);
});
