import { adminUrl, expect, openConsole, registerClient, signInToConsole, test } from "./stage.ts";

test("leaving a list cancels a search that is not applied yet", async ({ page }) => {
  await openConsole(page, "viewer", "/applications");
  await page.getByLabel("Search applications").fill("application web");
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expect(page).toHaveURL(`${adminUrl}/users`);

  await page.getByLabel("Search users").fill("developer"); // finds the row that is clicked, should the search be applied first
  await page.getByRole("table").getByText("developer@example.com").click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/users/"));

  await page.goBack();
  const search = page.getByLabel("Search users");
  await search.fill("nobody");
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expect(search).toHaveValue("");
  await expect(page).toHaveURL(`${adminUrl}/users`);
});

test("the server sends complete pages, without streamed placeholders", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { applicationId } = await registerClient(page, { applicationName: `Complete ${Date.now()}` });
  for (const path of ["/applications", "/applications?query=web", "/users", "/deliveries", `/applications/${applicationId}`]) {
    const html = await (await page.request.get(adminUrl + path)).text();
    expect(html.match(/<main/g), path).toHaveLength(1);
    expect(html.match(/<h1/g), path).toHaveLength(1);
    expect(html, path).not.toMatch(/<div hidden="" id="S:/);
  }
});
