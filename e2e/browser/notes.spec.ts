import { emailOf } from "../harness/fixture.ts";
import { expect, expectAccessible, fillSignIn, issuer, test } from "./stage.ts";

// The page that packages/product ships as an example: rendered by Next, behind the guard, with the session of the browser.

test("D9 the notes page asks for a sign-in, then lists, adds and deletes the user's notes", async ({ page }) => {
  await page.goto(`${issuer}/notes`);
  await expect(page).toHaveURL(`${issuer}/sign-in?next=%2Fnotes`);
  await fillSignIn(page, "notes");
  await expect(page).toHaveURL(`${issuer}/notes`);
  await expect(page).toHaveTitle("Notes · Gatehouse");
  await expect(page.getByText(emailOf("notes"))).toBeVisible();
  await expect(page.getByText("No notes yet.")).toBeVisible();
  await expectAccessible(page);

  const text = page.getByLabel("New note");
  const add = page.getByRole("button", { name: "Add note" });
  for (let at = 1; at <= 21; at++) {
    await text.fill(`Note ${at}`);
    await add.click();
    await expect(text).toHaveValue("");
  }
  const list = page.getByRole("list", { name: "Notes" });
  await expect(list.getByRole("listitem").first()).toContainText("Note 21");
  await expect(list.getByRole("listitem")).toHaveCount(20);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(21);
  await list.getByRole("button", { name: "Delete the note: Note 21" }).click();
  await expect(list.getByText("Note 21", { exact: true })).toHaveCount(0);
  await expectAccessible(page);

  await page.reload();
  await expect(list.getByRole("listitem").first()).toContainText("Note 20");
});
