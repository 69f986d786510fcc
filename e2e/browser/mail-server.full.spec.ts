import { startSmtpServer, type TestSmtpServer } from "@gatehouse/mail/testing/smtp-server";
import { expectAlive } from "../harness/alive.ts";
import { fixture } from "../harness/fixture.ts";
import { BROWSER_ENGINE, type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { expect, expectAccessible, fillSignIn, save, test } from "./stage.ts";

// The save without the password is refused.
test.use({ provoked: [400] });

// A server of its own: the others read their mails in the console.
let own: Gatehouse;
let server: TestSmtpServer;
test.beforeAll(async () => {
  [own, server] = await Promise.all([
    startGatehouse({ engine: BROWSER_ENGINE, fixture: fixture(), admin: true }),
    startSmtpServer(),
  ]);
});
test.afterAll(async () => {
  await own?.stop();
  await server?.close();
});

test("CO-69 UM-01 an admin sets the mail server, tests it and invites somebody, who is called invited once it was sent", async ({
  page,
}) => {
  await page.goto(`${own.adminUrl}/settings/mail`);
  await fillSignIn(page, "admin");
  await expectAlive(page);
  const fields = page.getByRole("group", { name: "SMTP server" });
  // These fields have a script of their own, which comes after the page's.
  await expect(async () => {
    await fields.getByLabel("Host").fill("");
    await fields.getByLabel("Host").fill("127.0.0.1");
    await expect(fields.getByLabel("Port")).toBeEnabled({ timeout: 500 });
  }).toPass();
  await fields.getByLabel("Port").fill(String(server.port));
  await fields.getByLabel("User").fill("mailer");
  await fields.getByRole("textbox", { name: "Password" }).fill("hunter2");
  await page.getByLabel("Sender").fill("Shop <no-reply@shop.example>");
  await expectAccessible(page);
  await save(page);
  await expect(fields.getByRole("textbox", { name: "Password" })).toHaveValue("");
  await expect(fields.getByPlaceholder("Unchanged")).toBeVisible();

  const outcome = page.getByRole("region", { name: "Test mail" }).getByRole("status");
  await page.getByRole("button", { name: /^Send to / }).click();
  await expect(outcome).toContainText("The mail server took it.");
  await expect(outcome).toContainText("Its answer: 250");
  server.behave({ signIn: 535 });
  await page.getByRole("button", { name: /^Send to / }).click();
  await expect(outcome).toContainText("The server refused the user or the password.");
  await expect(outcome).toContainText("Its answer: 535");
  await expectAccessible(page);
  server.behave({});

  await fields.getByLabel("User").fill("somebody");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(fields.getByText("enter the password again", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();

  await page.goto(`${own.adminUrl}/users`);
  await expectAlive(page);
  await page.getByRole("button", { name: "Invite user" }).click();
  const email = `mailed-${Date.now()}@example.com`;
  await page.getByRole("dialog").getByLabel("Email").fill(email);
  await page.getByRole("dialog").getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: `Invitation sent to ${email}.` })).toBeVisible();
  expect(server.received.some(({ recipients }) => recipients.includes(email))).toBe(true);
});
