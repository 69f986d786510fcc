import { afterAll, beforeAll, expect, test } from "vitest";
import * as forgotPassword from "../../../app/forgot-password/route.ts";
import * as signUp from "../../../app/sign-up/route.ts";
import * as verifyEmail from "../../../app/verify-email/route.ts";
import { startTestApp } from "../../start/testing/test-app.ts";

// Calls the handlers directly: an https issuer without SMTP has no mail.
const ISSUER = "https://id.example";
let running: Awaited<ReturnType<typeof startTestApp>>;

beforeAll(async () => {
  running = await startTestApp({
    GATEHOUSE_ISSUER: ISSUER,
    GATEHOUSE_ADMIN_URL: "https://console.example",
    GATEHOUSE_SECRET: "only for these tests, 32 bytes or more",
  });
});
afterAll(() => running.close());

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
const csrfOf = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
const get = (path: string, cookie: string) => new Request(ISSUER + path, { headers: { cookie } });
const post = (path: string, cookie: string, fields: Record<string, string>) =>
  new Request(ISSUER + path, { method: "POST", body: new URLSearchParams(fields), headers: { cookie } });

test("EM-02 where mail is off, /verify-email explains it and sends nothing", async () => {
  const form = await signUp.GET(get("/sign-up", ""));
  const visitor = cookiesOf(form);
  const csrf = csrfOf(await form.text());
  const fields = { csrf, name: "Ada", email: "ada@example.com", password: "a long enough password" };
  const cookie = `${visitor}; ${cookiesOf(await signUp.POST(post("/sign-up", visitor, fields)))}`;

  const offer = await verifyEmail.GET(get("/verify-email", cookie));
  expect([offer.status, await offer.text()]).toEqual([200, expect.stringContaining("set up on this server")]);

  const sent = await verifyEmail.POST(
    post("/verify-email", cookie, { csrf, of: "verify", email: "ada@example.com", action: "send" }),
  );
  expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining("set up on this server")]);
  const { db } = running.app.deps;
  expect(await db.select().from(db.tables.mailedTokens)).toEqual([]);
});

const EXPLANATION = "This server can't send email. Ask an administrator";
test('EM-02 where mail is off, "Forgot password?" says who can help, and a form that is posted anyway sends nothing', async () => {
  const page = await forgotPassword.GET(get("/forgot-password", ""));
  const visitor = cookiesOf(page);
  const html = await page.text();
  expect([page.status, html]).toEqual([200, expect.stringContaining(EXPLANATION)]);
  expect(html).not.toContain('name="email"');

  const sent = await forgotPassword.POST(
    post("/forgot-password", visitor, { csrf: csrfOf(html), email: "ada@example.com" }),
  );
  expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining(EXPLANATION)]);
  const { db } = running.app.deps;
  expect(await db.select().from(db.tables.mailedTokens)).toEqual([]);
  expect(await db.select().from(db.tables.mails)).toEqual([]);
});
