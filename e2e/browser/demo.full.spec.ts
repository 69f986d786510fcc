import { expectAlive } from "../harness/alive.ts";
import { fixture } from "../harness/fixture.ts";
import { BROWSER_ENGINE, type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { expect, expectAccessible, fillSignIn, test } from "./stage.ts";

// A server of its own: a demo refuses every change. It says why with status 403.
test.use({ provoked: [403] });

let demo: Gatehouse;
test.beforeAll(async () => {
  const settings = { GATEHOUSE_DEMO: "1" };
  demo = await startGatehouse({ engine: BROWSER_ENGINE, fixture: fixture(), admin: true, settings });
});
test.afterAll(() => demo?.stop());

test("a demo says so on every page, and refuses a change with the way to an installation of one's own", async ({
  page,
}) => {
  await page.goto(`${demo.adminUrl}/applications/new`);
  await fillSignIn(page, "admin");
  const notice = page.getByText("This is a demo: its people, clients and events are made up");
  await expect(notice).toBeVisible();
  await expectAlive(page);
  await page.getByRole("button", { name: "Create it without a client" }).click();
  await page.getByLabel("Name").fill("Not in a demo");
  await page.getByRole("button", { name: "Create application" }).click();
  await expect(page.getByText("This is a demo, and nothing in it can be changed.", { exact: false })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${demo.adminUrl}/users`);
  await expect(notice).toBeVisible();
});
