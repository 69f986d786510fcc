import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatehouse } from "../harness/gatehouse.ts";
import { adminUrl, environment, expect, expectAccessible, openConsole, openSection, save, test } from "./stage.ts";

test("CO-73, drift: a locked client is unlocked and changed, shows as drift, and the next apply locks it as the file states", async ({
  page,
}) => {
  const stamp = Date.now().toString(36);
  const folder = await mkdtemp(join(tmpdir(), "drift-"));
  const file = join(folder, `pier-${stamp}.json`);
  const redirect = "http://localhost:4000/callback";
  const development = { client_id: `pier-${stamp}`, type: "native", redirect_uris: [redirect], scopes: ["openid"] };
  await writeFile(
    file,
    JSON.stringify({ locked: true, applications: [{ name: `Pier ${stamp}`, environments: { development } }] }),
  );
  await gatehouse(["apply", file], environment);

  await openConsole(page, "admin", "/applications?state=managed");
  await page.getByRole("link", { name: `Pier ${stamp}` }).click();
  await expect(page.getByText(`Managed by pier-${stamp}.json`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Disable", exact: true })).toBeDisabled();
  await expectAccessible(page);
  await openSection(page, "Settings");
  await expect(page.getByRole("textbox", { name: "Redirect URI", exact: true })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Remove client" })).toBeDisabled();

  await page.getByRole("button", { name: "Unlock client" }).click();
  const dialog = page.getByRole("dialog", { name: "Unlock this client?" });
  await expect(dialog).toContainText(`the next apply of pier-${stamp}.json overwrites it`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Unlock client" }).click();
  await expect(page.getByText("Unlocked by")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Redirect URI", exact: true }).fill("http://localhost:4000/changed");
  await save(page);

  await page.getByRole("link", { name: "Show drift" }).click();
  const row = page.getByRole("region", { name: "Drift" }).getByRole("row", { name: `Pier ${stamp}` });
  await expect(row).toContainText("redirect_uris");
  await expect(row).toContainText(redirect);
  await expect(row).toContainText("http://localhost:4000/changed");
  await expect(row).toContainText("admin");
  await expectAccessible(page);
  const drift = (await gatehouse(["drift"], environment)) as { name: string; field: string; live: string[] }[];
  expect(drift).toContainEqual(
    expect.objectContaining({ name: `Pier ${stamp} / Main`, live: ["http://localhost:4000/changed"] }),
  );
  await row.getByRole("link", { name: `Pier ${stamp}` }).click();
  await expect(page.getByText(`Managed by pier-${stamp}.json, unlocked`)).toBeVisible();

  await gatehouse(["apply", file], environment);
  await page.reload();
  await expect(page.getByText(/manages this client and locks it/)).toBeVisible();
  await openSection(page, "History");
  await expect(page.getByText(`command line, with pier-${stamp}.json`).first()).toBeVisible();
  await page.goto(`${adminUrl}/settings/configuration`);
  await expect(page.getByRole("region", { name: "Drift" })).toContainText(/No drift|In the file/);
  await expect(page.getByRole("row", { name: `Pier ${stamp}` })).toHaveCount(0);
  await rm(folder, { recursive: true });
});
