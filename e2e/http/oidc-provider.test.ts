import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page, readable } from "../harness/agent.ts";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { authorizePath, callback } from "../harness/flow.ts";
import { type Gatehouse, SQLITE, startGatehouse } from "../harness/gatehouse.ts";
import { json } from "../harness/http.ts";
import { type RealProvider, startOidcProvider } from "../harness/oidc-provider.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { AT_UPSTREAM, leave } from "../harness/upstream.ts";

const SECRET = "a-client-secret-at-the-provider-0123456789";

type Finding = { check: string; state: string; title: string; sentence: string; fix: string | null };

describe.each(SQLITE)("sign-in at oidc-provider, on %s", (engine) => {
  let own: Gatehouse;
  let provider: RealProvider;
  beforeAll(async () => {
    provider = await startOidcProvider();
    own = await startGatehouse({ engine, fixture: fixture() });
    provider.register({
      client_id: AT_UPSTREAM,
      client_secret: SECRET,
      redirect_uris: [`${own.issuer}/sign-in/with/real/callback`],
      post_logout_redirect_uris: [`${own.issuer}/sign-in`],
    });
    const draft = {
      id: "real",
      preset: "oidc",
      name: "Real",
      issuer: provider.issuer,
      clientId: AT_UPSTREAM,
      secret: SECRET,
    };
    const settings = { trustEmail: true, logout: "id_token_hint" };
    const made = await mutate(
      own.issuer,
      "signInProviders.create",
      { ...draft, settings },
      await consoleToken(own.issuer, "admin"),
    );
    expect(made.status, made.text).toBe(200);
  });
  afterAll(async () => {
    await own?.stop();
    provider?.close();
  });

  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const button = (page: Page) => page.document.querySelector("button[type=submit]")?.text.trim() ?? "";

  /** Signs in at the provider as `login` and allows what it asks; returns where it sends the browser. */
  async function signInThere(there: Agent, sent: URL, login: string): Promise<URL> {
    let page = await there.open(sent.pathname + sent.search);
    for (let pages = 0; pages < 4 && page.status === 200; pages++) {
      const override = page.document.querySelector("input[name=login]") ? { login, password: "any" } : {};
      page = await there.submit(page, { button: button(page), override });
    }
    expect(page.status, readable(page)).toBe(303);
    return new URL(page.headers.get("location") ?? "");
  }

  test("UP-02 UP-03 UP-04 UP-09 UP-12 a new user signs in, the client gets its code, and signing out ends at the provider", async () => {
    const [agent, there] = [newAgent(own.issuer), newAgent(provider.issuer)];
    const start = await agent.open(authorizePath(CLIENTS.firstParty, { scope: "openid email" }));
    const from = new URL(start.url).pathname + new URL(start.url).search;
    const back = await signInThere(there, await leave(agent, "Continue with Real", from), "grace");
    expect(back.searchParams.get("iss")).toBe(provider.issuer);
    expect(callback(await agent.open(back.pathname + back.search)).params.has("code")).toBe(true);
    const me = json(await agent.request("/api/protected/me"))["user"];
    expect(me).toMatchObject({ email: "grace@provider.example", name: "grace", role: "user" });

    const out = await agent.submit(await agent.open("/account"), { button: "Sign out" });
    const link = out.document.querySelectorAll("a").find(({ text }) => text.trim() === "Also sign out of Real");
    const end = new URL((link?.getAttribute("href") ?? "").replaceAll("&amp;", "&"));
    const confirm = await there.open(end.pathname + end.search);
    const form = confirm.document.querySelector("form");
    const xsrf = form?.querySelector("input[name=xsrf]")?.getAttribute("value") ?? "";
    const ended = await there.request(new URL(form?.getAttribute("action") ?? "", provider.issuer).pathname, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ xsrf, logout: "yes" }).toString(),
    });
    expect(ended.headers.get("location")).toBe(`${own.issuer}/sign-in`);
    expect(await isSignedIn(agent)).toBe(false);
  });

  test("UP-06 UP-13 the same user comes back to the same account; prompt=login asks at the provider again", async () => {
    const [agent, there] = [newAgent(own.issuer), newAgent(provider.issuer)];
    const back = await signInThere(there, await leave(agent, "Continue with Real"), "hedy");
    await agent.open(back.pathname + back.search);
    const first = json(await agent.request("/api/protected/me"))["user"] as { id: string };

    const other = newAgent(own.issuer);
    const start = await other.open(authorizePath(CLIENTS.firstParty, { scope: "openid", prompt: "login" }));
    const sent = await leave(other, "Continue with Real", new URL(start.url).pathname + new URL(start.url).search);
    const asked = await there.open(sent.pathname + sent.search);
    expect(asked.document.querySelector("input[name=login]"), readable(asked)).not.toBeNull();
    const again = await signInThere(there, sent, "hedy");
    expect(callback(await other.open(again.pathname + again.search)).params.has("code")).toBe(true);
    expect(json(await other.request("/api/protected/me"))["user"]).toMatchObject({ id: first.id });
  });

  test("UP-01 the doctor tries each provider, and names its callback URL", async () => {
    const admin = await consoleToken(own.issuer, "admin");
    const gone = {
      id: "gone",
      preset: "oidc",
      name: "Gone",
      issuer: "http://127.0.0.1:9",
      clientId: AT_UPSTREAM,
      secret: SECRET,
    };
    await mutate(own.issuer, "signInProviders.create", gone, admin);
    const found = dataOf<Finding[]>(await mutate(own.issuer, "doctor.examine", { endpoint: null }, admin));
    const findingOf = (id: string) => found.find(({ check }) => check === `sign_in_provider_${id}`);
    expect(findingOf("real")).toMatchObject({
      state: "ok",
      sentence: expect.stringMatching(/accepts “Client ID” and “Client secret”/),
    });
    expect(findingOf("real")?.title).toContain(`${own.issuer}/sign-in/with/real/callback`);
    expect(findingOf("gone")).toMatchObject({ state: "failed", fix: expect.stringContaining("issuer") });
  });
});
