import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { authorizePath } from "../harness/flow.ts";
import { encodeForm } from "../harness/http.ts";
import { PAGES } from "../harness/policy-table.ts";
import { expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const PASSWORD = "a long enough password";

/** The switch of every page, and the way out. */
const NO_CONTINUATION = ["/language", "/sign-out"];

const EVIL = [
  "https://evil.test/x",
  "//evil.test",
  "/\\evil.test",
  "https:evil.test",
  "/%2f%2fevil.test",
  "/\t/evil.test",
  "/..//evil.test",
];

let visitors = 0;
/** Of an address of its own, since only thirty accounts an hour can be made from one. */
async function newUser(): Promise<Agent> {
  const agent = newAgent(issuer);
  const email = `every-page-${++visitors}-${Math.random().toString(36).slice(2)}@example.com`;
  const fields = { Name: "Ada", Email: email, Password: PASSWORD };
  const headers = { "x-forwarded-for": `192.0.2.${visitors}` };
  await agent.submit(await agent.open("/sign-up"), { fields, button: "Create account", headers });
  return agent;
}

/** A browser that may see the page. */
const visitorOf = (requires: string | undefined) => (requires === "signed_in" ? newUser() : newAgent(issuer));
const isHtml = (page: Page) => /^text\/html/.test(page.headers.get("content-type") ?? "") && page.text !== "";

/** A passkey ceremony, a password, new recovery codes. WA-11, PW-02, MF-05. */
const NEEDS_SCRIPT = "form[data-passkey], button[data-shows], [data-codes]";

function expectScriptOnlyWhereNeeded(page: Page): void {
  const { document } = page;
  const scripts = document.querySelectorAll("script");
  const needsScript = document.querySelector(NEEDS_SCRIPT) !== null;
  const allowed = /script-src ([^;]*)/.exec(page.headers.get("content-security-policy") ?? "")?.[1];
  if (needsScript) expect(allowed, page.url).toBe("'self'");
  if (scripts.length > 0)
    expect([page.url, needsScript, scripts.length, allowed]).toEqual([page.url, true, 1, "'self'"]);
  for (const script of scripts) {
    expect(script.getAttribute("src")).toMatch(/^\/assets\/[\w.-]+\.js$/);
    expect(script.text).toBe("");
  }
  expect(document.querySelectorAll("style, iframe, object, embed, base")).toHaveLength(0);
  for (const element of document.querySelectorAll("*")) {
    const inline = Object.keys(element.attributes).filter((name) => /^(on|style$)/i.test(name));
    expect([page.url, element.rawTagName, inline]).toEqual([page.url, element.rawTagName, []]);
  }
}

/** Nothing on the page, and no redirect, leads to another origin than ours and the console's. */
function expectLocalOnly(page: Page): void {
  const attributes = ["href", "action", "formaction", "src"];
  const elements = page.document.querySelectorAll(
    "[href], [action], [formaction], [src], input[name=next], input[name=back]",
  );
  const urls = elements.flatMap((one) =>
    [...attributes, ...(one.rawTagName === "input" ? ["value"] : [])].map((name) => one.getAttribute(name)),
  );
  for (const url of [...urls, page.headers.get("location")]) {
    if (!url || /^(otpauth|data):/.test(url)) continue;
    const { origin } = new URL(url, page.url);
    expect(
      origin === issuer || url === inject("adminUrl"),
      `${url} on ${page.url}: ${page.document.querySelector("main")}`,
    ).toBe(true);
  }
}

describe("every page of sign-in, sign-up, invitation and account", () => {
  let user: Agent;
  beforeAll(async () => {
    user = await newUser();
  });

  test("the table has them all", () => {
    expect(PAGES.length).toBeGreaterThan(30);
    for (const path of ["/sign-in", "/sign-up", "/invitation", "/account/delete"])
      expect(PAGES.map((one) => one.path)).toContain(path);
  });

  test.each(PAGES)(
    "N80 WA-11 SE-10 $path has the headers of pages, and a script only for a ceremony",
    async ({ path, requires }) => {
      for (const agent of [newAgent(issuer), user]) {
        const page = await agent.request(path);
        expect([200, 303, 400, 404, 405, 409]).toContain(page.status);
        if (requires === "signed_in" && !agent.cookies.size) expect(page.status).toBe(303);
        if (page.status === 404 || page.status === 405) continue;
        expectPageHeaders(page);
        if (isHtml(page)) expectScriptOnlyWhereNeeded(page);
        const refused = await agent.request(path, {
          method: "POST",
          headers: { origin: issuer, "content-type": "application/x-www-form-urlencoded" },
        });
        expect([303, 400, 403, 405, 415]).toContain(refused.status);
        if (isHtml(refused)) {
          expectPageHeaders(refused);
          expectScriptOnlyWhereNeeded(refused);
        }
      }
    },
  );

  test.each(PAGES)(
    "N79 SE-12 $path, its forms and its redirects lead to our own pages alone",
    async ({ path, requires }) => {
      const agent = await visitorOf(requires);
      for (const evil of EVIL) {
        const page = await agent.request(
          `${path}?${encodeForm({ next: evil, request: evil, back: evil, form: evil, email: "a@b.example" })}`,
        );
        expectLocalOnly(page);
      }
      const [evil = ""] = EVIL;
      const page = await agent.open(path);
      for (const form of page.document.querySelectorAll("form[method=post]")) {
        const action = form.getAttribute("action") ?? "";
        const hidden = form
          .querySelectorAll("input")
          .map((input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""]);
        const body = encodeForm({ ...Object.fromEntries(hidden), next: evil, back: evil, request: evil, form: evil });
        const headers = {
          "content-type": "application/x-www-form-urlencoded",
          origin: issuer,
          "sec-fetch-site": "same-origin",
        };
        expectLocalOnly(await agent.request(action, { method: "POST", headers, body }));
      }
    },
  );
});

describe("N79 a pending request", () => {
  let request: string;
  beforeAll(async () => {
    const page = await newAgent(issuer).open(authorizePath(CLIENTS.web));
    request = new URL(page.url).searchParams.get("request") ?? "";
    expect(request).not.toBe("");
  });

  test.each(PAGES.filter(({ path }) => /^\/(sign-in|sign-up|forgot-password)/.test(path)))(
    "$path keeps it in every form and link",
    async ({ path, requires }) => {
      const page = await (await visitorOf(requires)).request(`${path}?${encodeForm({ request })}`);
      if (page.status !== 200) return expect([303, 400, 404, 405]).toContain(page.status);
      for (const form of page.document.querySelectorAll("form")) {
        const kept = form.querySelectorAll("input").map((input) => input.getAttribute("value"));
        expect([form.getAttribute("action"), kept.includes(request)]).toEqual([form.getAttribute("action"), true]);
      }
      const links = page.document.querySelectorAll("main a").map((link) => link.getAttribute("href") ?? "");
      for (const link of links.filter((href) => !NO_CONTINUATION.includes(href)))
        expect(new URL(link, issuer).searchParams.get("request")).toBe(request);
      return undefined;
    },
  );
});
