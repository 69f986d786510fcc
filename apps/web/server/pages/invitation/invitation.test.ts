import { invite } from "@gatehouse/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GET, POST } from "../../../app/invitation/route.ts";
import { startTestApp } from "../../start/testing/test-app.ts";

// Calls the handlers directly: the issuer is an IP address, so browsers offer no passkeys.
const ISSUER = "http://127.0.0.1:3000";
let running: Awaited<ReturnType<typeof startTestApp>>;

beforeAll(async () => {
  running = await startTestApp({ GATEHOUSE_ISSUER: ISSUER });
});
afterAll(() => running.close());

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
const linkOf = (html: string) => /name="link" value="([^"]+)"/.exec(html)?.[1] ?? "";
const csrfOf = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";

test("RG-08 where passkeys are off, an invitation is accepted with a password only", async () => {
  const { deps } = running.app;
  const draft = { email: "ada@example.com", role: "viewer", invitedBy: "cli", locale: "en" } as const;
  const invited = await invite(draft, () => ({}), deps);
  if (typeof invited === "string") throw new Error(`the invitation was not made: ${invited}`);

  const link = cookiesOf(await GET(new Request(invited.link)));
  const form = await GET(new Request(`${ISSUER}/invitation`, { headers: { cookie: link } }));
  const html = await form.text();
  expect([form.status, html.includes("without_password")]).toEqual([200, false]);

  const cookie = `${link}; ${cookiesOf(form)}`;
  const accept = (fields: Record<string, string>) =>
    POST(
      new Request(`${ISSUER}/invitation`, {
        method: "POST",
        body: new URLSearchParams({ csrf: csrfOf(html), link: linkOf(html), name: "Ada", ...fields }),
        headers: { cookie },
      }),
    );
  expect((await accept({ without_password: "on" })).status).toBe(400);
  expect(await deps.people.findAccountByEmail(draft.email)).toBeUndefined();
  expect((await accept({ password: "a long enough password" })).status).toBe(303);
  expect(await deps.people.findAccountByEmail(draft.email)).toMatchObject({
    role: "viewer",
    emailVerifiedAt: expect.any(Number),
  });
});

test("RG-08 CO-95 the page names who invites, as isolated text without what hides or reorders it; of the command line nobody", async () => {
  const { deps } = running.app;
  const inviteBy = async (invitedBy: string, email: string) => {
    const draft = { email, role: "viewer", invitedBy, locale: "en" } as const;
    const invited = await invite(draft, () => ({}), deps);
    if (typeof invited === "string") throw new Error(`the invitation was not made: ${invited}`);
    const cookie = cookiesOf(await GET(new Request(invited.link)));
    const form = await GET(new Request(`${ISSUER}/invitation`, { headers: { cookie } }));
    return { html: await form.text(), cookie: `${cookie}; ${cookiesOf(form)}` };
  };
  const { html, cookie } = await inviteBy("cli", "grace@example.com");
  expect(html).toContain("Create your account for <bdi>grace@example.com</bdi>.");
  const body = {
    csrf: csrfOf(html),
    link: linkOf(html),
    name: `Gr\u202eace <b> ${"x".repeat(66)}`,
    password: "a long enough password",
  };
  const request = new Request(`${ISSUER}/invitation`, {
    method: "POST",
    body: new URLSearchParams(body),
    headers: { cookie },
  });
  expect((await POST(request)).status).toBe(303);

  const grace = await deps.people.findAccountByEmail("grace@example.com");
  const named = await inviteBy(grace?.id ?? "", "alan@example.com");
  expect(named.html).toContain(
    `<bdi>Grace &lt;b> ${"x".repeat(49)}…</bdi> invited you to create an account for <bdi>alan@example.com</bdi>.`,
  );
});
