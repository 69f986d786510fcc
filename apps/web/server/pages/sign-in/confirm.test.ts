import { FRESH_SIGN_IN_SECONDS, keepForm } from "@gatehouse/accounts";
import { csrfToken, raiseSession, readSession, sessionCookie } from "@gatehouse/auth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as recoveryCodes from "../../../app/account/security/recovery-codes/route.ts";
import { GET, POST } from "../../../app/sign-in/confirm/route.ts";
import * as signUp from "../../../app/sign-up/route.ts";
import { startTestApp } from "../../start/testing/test-app.ts";

// Calls the handlers directly, on a database of their own: no test waits ten minutes, so they age the session in the
// database.
const ISSUER = "http://localhost:3000";
const PASSWORD = "a long enough password";
let running: Awaited<ReturnType<typeof startTestApp>>;
beforeAll(async () => {
  running = await startTestApp();
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

let number = 0;
/** A user with a session whose sign-in is 11 minutes ago. */
async function stale(): Promise<{ cookie: string; userId: string }> {
  const form = await signUp.GET(get("/sign-up", ""));
  const visitor = cookiesOf(form);
  const fields = {
    csrf: csrfOf(await form.text()),
    name: "Ada",
    email: `ada${number++}@example.com`,
    password: PASSWORD,
  };
  const cookie = `${visitor}; ${cookiesOf(await signUp.POST(post("/sign-up", visitor, fields)))}`;
  const { deps } = running.app;
  const active = await readSession(cookie, deps);
  if (!active) throw new Error("not signed in");
  const aged = await raiseSession(active, { authTime: deps.now() - FRESH_SIGN_IN_SECONDS - 60 }, deps);
  return {
    cookie: `${visitor}; ${sessionCookie(aged?.secret ?? "", active.session, deps.config).split(";")[0]}`,
    userId: active.user.id,
  };
}

describe("confirming a sign-in, SN-03", () => {
  let user: Awaited<ReturnType<typeof stale>>;
  beforeEach(async () => {
    user = await stale();
  });

  async function ask(query: Record<string, string>) {
    const path = `/sign-in/confirm?${new URLSearchParams(query)}`;
    const page = await GET(get(path, user.cookie));
    return { page, html: await page.clone().text() };
  }

  test("AL-04 the right password returns to the page, with a new session secret and the same sid", async () => {
    const { html } = await ask({ next: "/account?x=1" });
    expect(html).toContain("Confirm it");
    const { deps } = running.app;
    const before = await readSession(user.cookie, deps);
    const done = await POST(
      post("/sign-in/confirm", user.cookie, { csrf: csrfOf(html), next: "/account?x=1", password: PASSWORD }),
    );
    expect([done.status, done.headers.get("location")]).toEqual([303, "/account?x=1"]);
    const after = await readSession(cookiesOf(done), deps);
    expect(after?.session.id).toBe(before?.session.id);
    expect(after?.session.authTime).toBeGreaterThan(before?.session.authTime ?? 0);
    expect(await readSession(user.cookie, deps)).toBeUndefined();
  });

  test("N51 a sensitive form is not carried out: it leads to the confirmation, and is kept", async () => {
    const { deps } = running.app;
    const active = await readSession(user.cookie, deps);
    const { token: csrf } = csrfToken(user.cookie, active, deps);
    const away = await recoveryCodes.POST(post("/account/security/recovery-codes", user.cookie, { csrf }));
    expect(away.status).toBe(303);
    expect(away.headers.get("location")).toMatch(
      /^\/sign-in\/confirm\?next=%2Faccount%2Fsecurity%2Frecovery-codes&form=/,
    );
    expect(await deps.people.countRecoveryCodes(user.userId)).toBe(0);
  });

  test("a wrong password changes nothing", async () => {
    const { html } = await ask({ next: "/account" });
    const refused = await POST(
      post("/sign-in/confirm", user.cookie, { csrf: csrfOf(html), next: "/account", password: "wrong" }),
    );
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("Incorrect password.");
    expect(cookiesOf(refused)).toBe("");
  });

  test("the kept form is offered again, for its own user only, without a second confirmation", async () => {
    const { deps } = running.app;
    const active = (await readSession(user.cookie, deps)) ?? expect.fail("not signed in");
    const fields = new URLSearchParams({ action: "remove", csrf: "old", id: '"><b>' });
    const form = keepForm({ path: "/account/security/authenticator", form: fields, session: active }, deps) ?? "";
    const { html } = await ask({ next: "/account/security", form });
    const done = await POST(post("/sign-in/confirm", user.cookie, { csrf: csrfOf(html), form, password: PASSWORD }));
    const resumed = await done.text();
    expect(resumed).toContain('action="/account/security/authenticator"');
    expect(resumed).toContain('name="action" value="remove"');
    expect(resumed).not.toContain("<b>");
    expect(resumed).not.toContain('value="old"');

    const other = await stale();
    const foreign = await POST(
      post("/sign-in/confirm", other.cookie, {
        csrf: csrfOf(await (await GET(get("/sign-in/confirm", other.cookie))).text()),
        form,
        password: PASSWORD,
      }),
    );
    expect([foreign.status, foreign.headers.get("location")]).toEqual([303, "/account"]);
  });

  test("SE-12 next stays on this origin", async () => {
    const { html } = await ask({ next: "//evil.example" });
    expect(html).not.toContain("evil");
    const done = await POST(
      post("/sign-in/confirm", user.cookie, { csrf: csrfOf(html), next: "https://evil.example/", password: PASSWORD }),
    );
    expect(done.headers.get("location")).toBe("/account");
  });

  test("without a session it leads to sign-in", async () => {
    const away = await GET(get("/sign-in/confirm?next=%2Faccount", ""));
    expect(away.headers.get("location")).toMatch(/^\/sign-in\?next=/);
  });
});
