import { adminUrl, expect, registerClient, signInToConsole, test } from "./stage.ts";

test("the server sends complete pages, without streamed placeholders", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { applicationId } = await registerClient(page, { applicationName: `Complete ${Date.now()}` });
  for (const path of [
    "/applications",
    "/applications?query=web",
    "/users",
    "/deliveries",
    `/applications/${applicationId}`,
  ]) {
    const html = await (await page.request.get(adminUrl + path)).text();
    expect(html.match(/<main/g), path).toHaveLength(1);
    expect(html.match(/<h1/g), path).toHaveLength(1);
    expect(html, path).not.toMatch(/<div hidden="" id="S:/);
  }
});
