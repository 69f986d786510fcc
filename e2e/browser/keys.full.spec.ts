import { expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

/** Nothing else in the browser tests is signed with this algorithm. */
const ALGORITHM = "EdDSA";
/** Running servers load the keys again within a minute. */
const FOLLOWED_MS = 90_000;

test("CO-60 CO-66 key-rotation-timeline: rotate a day ahead, rotate now, distrust; each says what stops being valid", async ({
  page,
  request,
}) => {
  await openConsole(page, "admin", "/keys");
  const section = page.getByRole("region", { name: ALGORITHM, exact: true });
  const states = section.getByRole("row").filter({ hasText: /Next|Current|Previous/ });
  const dialog = page.getByRole("dialog");
  const choose = async (name: string) => {
    await section.getByRole("button", { name: `More actions for ${ALGORITHM}` }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };

  await section.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(dialog).toContainText("signs from tomorrow");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(states).toContainText(["Next", "Current"]);
  await expect(section.getByRole("button", { name: "Rotate", exact: true })).toBeDisabled();
  await expectAccessible(page);

  await choose("Rotate now");
  await expect(dialog).toContainText("reject new tokens until they load it again");
  await dialog.getByRole("button", { name: "Rotate now" }).click();
  await expect(states).toContainText(["Next", "Current", "Previous"]);

  await choose("Distrust");
  const distrust = dialog.getByRole("button", { name: `Distrust ${ALGORITHM} keys` });
  await expect(distrust).toBeDisabled();
  await dialog.getByLabel(`Type ${ALGORITHM} to confirm`).fill(ALGORITHM);
  await distrust.click();
  await expect(states).toContainText(["Current"]);
  const published = async () => {
    const { keys }: { keys: { alg: string }[] } = await (await request.get(`${issuer}/.well-known/jwks.json`)).json();
    return keys.filter(({ alg }) => alg === ALGORITHM).length;
  };
  await expect.poll(published, { timeout: FOLLOWED_MS }).toBe(1);
  await expect(page.getByRole("region", { name: "History" })).toContainText(`Distrusted signing key ${ALGORITHM}`);
  await expectAccessible(page);
});

test("CO-02 a viewer sees the keys and cannot rotate them", async ({ page }) => {
  await openConsole(page, "viewer", "/keys");
  await expect(page.getByRole("heading", { name: "Signing keys", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: "Rotate", exact: true })).toHaveCount(0);
});
