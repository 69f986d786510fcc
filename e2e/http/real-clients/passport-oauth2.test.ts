import OAuth2Strategy from "passport-oauth2";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../../harness/agent.ts";
import { CLIENTS } from "../../harness/fixture.ts";
import { callApi, redirectUriOf, signIn } from "../../harness/flow.ts";

const issuer = inject("issuer");
const { web, browser } = CLIENTS;

let pat: Agent;
beforeAll(async () => {
  pat = await signIn(issuer, "passport-oauth2");
});

type Outcome =
  | { kind: "redirect"; url: string }
  | { kind: "success"; user: unknown }
  | { kind: "fail" }
  | { kind: "error"; error: unknown };

/** What Passport does for a strategy: takes a request, and returns one of four outcomes. */
function run(strategy: OAuth2Strategy, query: Record<string, string>, session: object): Promise<Outcome> {
  return new Promise((resolve) => {
    const acting = Object.assign(Object.create(strategy), {
      redirect: (url: string) => resolve({ kind: "redirect", url }),
      success: (user: unknown) => resolve({ kind: "success", user }),
      fail: () => resolve({ kind: "fail" }),
      error: (error: unknown) => resolve({ kind: "error", error }),
    });
    acting.authenticate({ query, session, headers: {}, connection: { encrypted: true } }, {});
  });
}

/** Signs in as an application with Passport does: to Gatehouse with the browser, and back. */
async function signInWith(options: { clientID: string; clientSecret: string; callbackURL: string }): Promise<Outcome> {
  const urls = { authorizationURL: `${issuer}/authorize`, tokenURL: `${issuer}/token` };
  const verify: OAuth2Strategy.VerifyFunction = (
    access: string,
    refresh: string,
    _: unknown,
    done: OAuth2Strategy.VerifyCallback,
  ) => done(null, { access, refresh });
  const strategy = new OAuth2Strategy({ ...urls, ...options, scope: ["api:read"], pkce: true, state: true }, verify);
  strategy.userProfile = (_token, done) => done(null, {});
  const session = {};
  const away = await run(strategy, {}, session);
  if (away.kind !== "redirect") return away;
  const { pathname, search } = new URL(away.url);
  const page = await pat.open(pathname + search);
  const end = page.status === 200 ? await pat.submit(page, { button: "Allow" }) : page;
  return run(strategy, Object.fromEntries(new URL(end.headers.get("location") ?? "about:blank").searchParams), session);
}

describe("passport-oauth2 1", () => {
  test.each([
    [
      "a confidential client, which posts its secret",
      { clientID: web.client_id, clientSecret: web.client_secret, callbackURL: redirectUriOf(web) },
    ],
    [
      "interop-4: a public client, which posts an empty one",
      { clientID: browser.client_id, clientSecret: "", callbackURL: redirectUriOf(browser) },
    ],
  ])("interop-5: signs in with PKCE and state as %s", async (_, options) => {
    const outcome = await signInWith(options);
    expect(outcome).toMatchObject({
      kind: "success",
      user: { access: expect.stringMatching(/^gat_/), refresh: expect.stringMatching(/^grt_/) },
    });
    const { user } = outcome as { user: { access: string } };
    expect((await callApi(issuer, user.access)).status).toBe(200);
  });

  test("a wrong secret is an error that it understands", async () => {
    const outcome = await signInWith({
      clientID: web.client_id,
      clientSecret: "wrong",
      callbackURL: redirectUriOf(web),
    });
    expect(outcome).toMatchObject({ kind: "error", error: { code: "invalid_client" } });
  });
});
