import { cookieName } from "@gatehouse/auth";
import { describe, expect, inject, test } from "vitest";
import { newAgent, type Page, readable } from "../harness/agent.ts";
import { CLIENTS, emailOf, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callback, signIn } from "../harness/flow.ts";
import { json, send, textOf } from "../harness/http.ts";
import { pushedPath, pushRequest } from "../harness/pushing.ts";

const issuer = inject("issuer");
const { web } = CLIENTS;

const languageOf = (page: Page) => ({
  html: page.document.querySelector("html")?.getAttribute("lang"),
  dir: page.document.querySelector("html")?.getAttribute("dir"),
  header: page.headers.get("content-language"),
});
const in_ = (lang: string, dir = "ltr") => ({ html: lang, dir, header: lang });
const french = { headers: { "accept-language": "fr-CA, en;q=0.5" } };

describe("LG-01 the language of a page", () => {
  test("is that of Accept-Language, and English for languages we do not have", async () => {
    const agent = newAgent(issuer);
    expect(languageOf(await agent.request("/sign-in", french))).toEqual(in_("fr"));
    expect(languageOf(await agent.request("/no/such/page", french))).toEqual(in_("fr"));
    expect(languageOf(await agent.request("/sign-in", { headers: { "accept-language": "tlh" } }))).toEqual(in_("en"));
    expect(languageOf(await agent.request("/sign-in", { headers: { "accept-language": "ar-EG" } }))).toEqual(
      in_("ar", "rtl"),
    );
  });

  test("is that of ui_locales, also against the cookie, and for a pushed request", async () => {
    const agent = newAgent(issuer);
    agent.cookies.set(cookieName("locale", { issuer }), "es");
    expect(languageOf(await agent.open("/sign-in"))).toEqual(in_("es"));
    const asked = await agent.open(authorizePath(web, { ui_locales: "tlh de-AT" }));
    expect(asked.url).toContain("/sign-in");
    expect(languageOf(asked)).toEqual(in_("de"));
    const later = await agent.open(
      pushedPath(web, textOf(await pushRequest(issuer, web, { ui_locales: "fr" }), "request_uri")),
    );
    expect(languageOf(later)).toEqual(in_("fr"));
  });

  test("the switch keeps the request, and its choice holds on every later page of the flow", async () => {
    const agent = newAgent(issuer);
    const asked = await agent.open(authorizePath(web, { ui_locales: "de", prompt: "consent" }));
    const switched = await agent.submit(asked, { button: "Español" });
    expect(languageOf(switched)).toEqual(in_("es"));
    const consent = await agent.submit(switched, {
      fields: { "Correo electrónico": emailOf("languages"), Contraseña: PASSWORD },
      button: "Iniciar sesión",
    });
    expect(consent.url).toContain("/consent");
    expect(languageOf(consent)).toEqual(in_("es"));
    expect(callback(await agent.submit(consent, { button: "Permitir" })).params.get("state")).toBe("the-state");
  });

  test("LG-02 a refused password is explained in the language of the page", async () => {
    const agent = newAgent(issuer);
    agent.cookies.set(cookieName("locale", { issuer }), "de");
    const page = await agent.open("/sign-up");
    const fields = { Name: "Ada", "E-Mail": "refused@example.com", Passwort: "passwordpassword" };
    const refused = await agent.submit(page, { fields, button: "Konto erstellen" });
    expect([refused.status, languageOf(refused)]).toEqual([400, in_("de")]);
    expect(readable(refused)).toContain("Verwenden Sie stattdessen ein paar zufällige Wörter.");
  });

  test("the switch in the middle of consent keeps the session that the request is bound to", async () => {
    const agent = await signIn(issuer, "languages");
    const consent = await agent.open(authorizePath(web, { prompt: "consent" }));
    const switched = await agent.submit(consent, { button: "العربية" });
    expect(languageOf(switched)).toEqual(in_("ar", "rtl"));
    expect(callback(await agent.submit(switched, { button: "سماح" })).params.has("code")).toBe(true);
  });

  test("is saved with the account by the switch outside of a flow", async () => {
    const email = `language-${Date.now()}@example.com`;
    const agent = newAgent(issuer);
    const account = await agent.submit(await agent.open("/sign-up"), {
      fields: { Name: "Lin", Email: email, Password: "a long enough password" },
      button: "Create account",
    });
    expect(languageOf(account)).toEqual(in_("en"));
    expect(languageOf(await agent.submit(account, { button: "Deutsch" }))).toEqual(in_("de"));
    agent.cookies.delete(cookieName("locale", { issuer }));
    expect(languageOf(await agent.open("/account/sessions"))).toEqual(in_("de"));
  });

  test("N79 the switch comes back to our own pages alone", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open("/sign-in?next=/device");
    for (const back of ["https://evil.test/", "//evil.test", "/\\evil.test", "javascript:alert(1)", "\u0000"]) {
      const answer = await agent.post(page, { button: "Français", override: { back, next: back } });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    }
    const kept = await agent.post(page, { button: "Français", override: { request: "altered" } });
    expect(kept.headers.get("location")).toBe("/sign-in?request=altered&next=%2Fdevice");
  });

  test("N16 the switch needs a CSRF token, and an unknown language changes nothing", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open("/sign-in");
    expect((await agent.post(page, { button: "Deutsch", override: { csrf: "x" } })).status).toBe(403);
    const answer = await agent.post(page, { button: "Deutsch", override: { locale: "tlh" } });
    expect([answer.status, answer.setCookies]).toEqual([303, []]);
  });

  test("the languages are published", async () => {
    for (const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]) {
      expect(json(await send(issuer, path))).toMatchObject({ ui_locales_supported: ["en", "de", "fr", "es", "ar"] });
    }
  });
});
