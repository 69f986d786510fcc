import { cookieName } from "@gatehouse/auth";
import { describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, emailOf, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callback, signIn } from "../harness/flow.ts";
import type { HeaderFields } from "../harness/http.ts";
import { expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const { web } = CLIENTS;

const rightFields = { Email: emailOf("sign-in"), Password: PASSWORD };
const button = "Sign in";

function sessionOf(agent: Agent): [string, string] {
  const found = [...agent.cookies].find(([name]) => name === cookieName("session", { issuer }));
  if (found === undefined) throw new Error(`no session among ${[...agent.cookies.keys()]}`);
  return found;
}

describe("sign-in", () => {
  test("N17 SE-04 SE-07 SE-08 a correct password gets 303 and a new HttpOnly session cookie", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open("/sign-in");
    const before = new Map(agent.cookies);
    const answer = await agent.post(page, { fields: rightFields, button });

    expect(answer.status).toBe(303);
    const [name, value] = sessionOf(agent);
    expect(before.get(name)).not.toBe(value);
    const line = answer.setCookies.find((one) => one.startsWith(`${name}=`)) ?? "";
    for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/"])
      expect(line.toLowerCase()).toContain(attribute.toLowerCase());
    expect(line.toLowerCase()).not.toContain("domain=");
    // On http, browsers reject cookies with the __Host- prefix or Secure.
    expect(name).toMatch(/^gatehouse_[0-9a-f]{8}_session$/);
  });

  test("SE-07 signing in again rotates the session", async () => {
    const agent = await signIn(issuer, "sign-in");
    const first = sessionOf(agent)[1];
    await agent.submit(await agent.open(authorizePath(web, { prompt: "login" })), {
      fields: { Password: PASSWORD },
      button: "Continue",
    });
    expect(sessionOf(agent)[1]).not.toBe(first);

    const old = newAgent(issuer);
    old.cookies.set(sessionOf(agent)[0], first);
    expect((await old.request("/api/protected/me")).status).toBe(401);
  });

  test("SE-07 a wrong password and an unknown email look the same", async () => {
    const refused = async (email: string): Promise<Page> => {
      const agent = newAgent(issuer);
      return agent.submit(await agent.open("/sign-in"), {
        fields: { Email: email, Password: "wrong password" },
        button,
      });
    };
    const [wrong, unknown] = [await refused(emailOf("sign-in")), await refused("nobody@example.com")];
    expect([wrong.status, unknown.status]).toEqual([400, 400]);
    const words = (page: Page) => page.document.querySelector("[role=alert]")?.text;
    expect(words(wrong)).toBeTruthy();
    expect(words(wrong)).toBe(words(unknown));
    expect(wrong.document.querySelector("input[type=email]")?.getAttribute("value")).toBe(emailOf("sign-in"));
    expect(wrong.text).not.toContain("wrong password");
  });

  test("SE-07 AB-04 repeated failures limit the caller with Retry-After, even with the correct password", async () => {
    const agent = newAgent(issuer);
    const attempt = async (password: string) =>
      agent.post(await agent.open("/sign-in"), { fields: { Email: emailOf("locked"), Password: password }, button });
    let last = await attempt("wrong password");
    for (let tries = 1; tries < 25 && last.status !== 429; tries++) last = await attempt("wrong password");
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await attempt(PASSWORD)).status).toBe(429);
  });

  test.each([
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "https://evil.example/",
    "/\t/evil.example",
    "%2f%2fevil.example",
    "javascript:alert(1)",
  ])("N19 SE-12 next=%s stays on our origin", async (next) => {
    const agent = newAgent(issuer);
    const page = await agent.open(`/sign-in?${new URLSearchParams({ next })}`);
    const answer = await agent.post(page, { fields: rightFields, button });
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get("location") ?? "", answer.url).origin).toBe(issuer);
  });

  test("SE-12 a local next is followed", async () => {
    const agent = newAgent(issuer);
    const answer = await agent.post(await agent.open("/sign-in?next=/device"), { fields: rightFields, button });
    expect(answer.headers.get("location")).toBe("/device");
  });

  test.each<[string, HeaderFields]>([
    ["a foreign site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a sibling site", { "sec-fetch-site": "same-site" }],
    [
      "a foreign origin, from a browser without Sec-Fetch-Site",
      { "sec-fetch-site": undefined, origin: "https://evil.example" },
    ],
  ])("SE-09 a post from %s is refused", async (_, headers) => {
    const agent = newAgent(issuer);
    const answer = await agent.post(await agent.open("/sign-in"), { fields: rightFields, button, headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("location")).toBeNull();
  });

  test("interop-21 without Sec-Fetch-Site our own Origin or no Origin is accepted", async () => {
    for (const origin of [issuer, undefined]) {
      const agent = newAgent(issuer);
      const headers = { "sec-fetch-site": undefined, origin };
      expect((await agent.post(await agent.open("/sign-in"), { fields: rightFields, button, headers })).status).toBe(
        303,
      );
    }
  });

  test("SE-09 a POST without the page's CSRF token is rejected", async () => {
    const agent = newAgent(issuer);
    await agent.open("/sign-in");
    const bare = newAgent(issuer);
    const answer = await bare.post(await agent.open("/sign-in"), { fields: rightFields, button });
    expect(answer.status).toBe(403);
  });

  test("interop-21 Origin: null from the same site is accepted, as browsers send it under no-referrer", async () => {
    const agent = newAgent(issuer);
    const answer = await agent.post(await agent.open("/sign-in"), {
      fields: rightFields,
      button,
      headers: { origin: "null" },
    });
    expect(answer.status).toBe(303);
  });

  test("SE-07 signing out ends the session on the server", async () => {
    const agent = await signIn(issuer, "sign-in");
    const [name, value] = sessionOf(agent);
    const account = await agent.open("/account");
    await agent.submit(account, { button: "Sign out" });
    agent.cookies.set(name, value);
    expect((await agent.request("/api/protected/me")).status).toBe(401);
  });

  test("SE-04 signing out is a POST", async () => {
    const agent = await signIn(issuer, "sign-in");
    expect((await agent.request("/sign-out")).status).toBe(405);
    expect((await agent.request("/api/protected/me")).status).toBe(200);
  });
});

describe("sign-up", () => {
  test("AZ-31 a new user arrives at consent with the pending request unchanged", async () => {
    const agent = newAgent(issuer);
    const signInPage = await agent.open(authorizePath(web, { state: "kept through sign-up" }));
    const link = signInPage.document
      .querySelectorAll("a")
      .find((one) => one.getAttribute("href")?.startsWith("/sign-up"));
    const signUp = await agent.open((link?.getAttribute("href") ?? "").replaceAll("&amp;", "&"));
    const consent = await agent.submit(signUp, {
      fields: { Name: "New Person", Email: `new-${Date.now()}@example.com`, Password: "a long enough password" },
      button: "Create account",
    });
    expect(consent.url).toContain("/consent");
    const { params } = callback(await agent.submit(consent, { button: "Allow" }));
    expect([params.has("code"), params.get("state")]).toEqual([true, "kept through sign-up"]);
  });

  test.each<[string, Record<string, string>]>([
    ["a short password", { Name: "X", Email: "short@example.com", Password: "short" }],
    ["a malformed email", { Name: "X", Email: "not-an-address", Password: "a long enough password" }],
    ["a taken email", { Name: "X", Email: emailOf("sign-in"), Password: "a long enough password" }],
  ])("%s is explained on the page", async (_, fields) => {
    const agent = newAgent(issuer);
    const page = await agent.submit(await agent.open("/sign-up"), { fields, button: "Create account" });
    expect(page.status).toBe(400);
    expect(page.document.querySelector("[role=alert]")?.text.trim()).toBeTruthy();
  });
});

describe("pages", () => {
  test.each(["/sign-in", "/sign-up", "/refused"])(
    "N18 SE-10 SE-14 %s carries the headers and loads nothing from elsewhere",
    async (path) => {
      const page = await newAgent(issuer).open(path);
      expectPageHeaders(page);
      for (const element of page.document.querySelectorAll("link[href], img[src], script[src]")) {
        expect(element.getAttribute("href") ?? element.getAttribute("src")).toMatch(/^\/(?!\/)/);
      }
    },
  );

  test("N18 SE-10 the pages behind sign-in have the security headers too", async () => {
    const agent = await signIn(issuer, "sign-in");
    for (const path of ["/device", "/account"]) expectPageHeaders(await agent.open(path));
  });

  test("unknown pages are 404", async () => {
    expect((await newAgent(issuer).open("/no/such/page")).status).toBe(404);
  });
});

// `next start` has a listener of its own, with Node's limit of 16 KiB for headers.
describe.skipIf(process.env["GATEHOUSE_TEST_MOUNT"] === "next")("cookies of other sites of the domain", () => {
  const foreign = (agent: Agent, count: number) => {
    for (let at = 0; at < count; at++) agent.cookies.set(`other${at}`, "x".repeat(3_800));
  };

  test("SE-08 19 kB of them change nothing: a sign-in, its consent and the way back work", async () => {
    const agent = newAgent(issuer);
    foreign(agent, 5);
    const page = await agent.submit(await agent.open("/sign-in"), { fields: rightFields, button });
    expect([page.status, page.url]).toEqual([200, `${issuer}/account`]);
    expect((await agent.open(authorizePath(web, { prompt: "consent" }))).text).toContain("Allow");
  });

  test("more than the server accepts get 431 and a page in the user's language that says what to do; past what it reads, in its own", async () => {
    const agent = newAgent(issuer, issuer, { "accept-language": "de" });
    foreign(agent, 14);
    const page = await agent.request("/sign-in");
    expect([page.status, page.text.includes("Zu viele Cookies")]).toEqual([431, true]);
    expectPageHeaders(page);
    expect((await agent.request("/assets/pages.css")).status).toBe(200);
    expect(
      (await agent.request("/api/resource", { headers: { accept: "*/*" } })).headers.get("content-type"),
    ).toContain("application/json");
    foreign(agent, 18);
    const unread = await agent.request("/sign-in");
    expect([unread.status, unread.text.includes("Too many cookies")]).toEqual([431, true]);
    expectPageHeaders(unread);
  });
});
