import { emailOf } from "../harness/fixture.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { createUser } from "./people.ts";
import { expect, expectAccessible, fillSignIn, issuer, test } from "./stage.ts";

// The page that packages/product ships as an example: rendered by Next, behind the guard, with the session of the
// browser.

test("D9 the notes page asks for a sign-in, then lists, adds and deletes the user's notes", async ({ page }) => {
  const name = `notes-${Date.now()}`;
  await createUser(name);
  await page.goto(`${issuer}/notes`);
  await expect(page).toHaveURL(`${issuer}/sign-in?next=%2Fnotes`);
  await fillSignIn(page, name);
  await expect(page).toHaveURL(`${issuer}/notes`);
  await expect(page).toHaveTitle("Notes · Gatehouse");
  await expect(page.getByTitle(emailOf(name))).toBeVisible();
  await expect(page.getByRole("link", { name: "Notes", exact: true })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("heading", { name: "No notes yet" })).toBeVisible();
  await expectAccessible(page);

  // One more than the page lists at once.
  const token = await consoleToken(issuer, name, "notes:read notes:write");
  for (let at = 1; at < 21; at++) dataOf(await mutate(issuer, "notes.create", { text: `Note ${at}` }, token));
  const text = page.getByLabel("New note");
  await text.fill("Note 21");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(text).toHaveValue("");
  await page.reload();
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

test("D9 AX-01 the product's pages share a header, fit a phone in both themes, and sign out", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${issuer}/notes`);
  await fillSignIn(page, "notes");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.getByRole("link", { name: "Subscriptions" }).click();
  await expect(page.getByRole("heading", { name: "Subscriptions", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Subscriptions" })).toHaveAttribute("aria-current", "page");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto(`${issuer}/notes`);
  await expect(page).toHaveURL(`${issuer}/sign-in?next=%2Fnotes`);
});
