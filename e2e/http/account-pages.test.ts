import { describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, emailOf, PASSWORD } from "../harness/fixture.ts";
import { obtainCode, redeem, signIn } from "../harness/flow.ts";
import { json, send, textOf } from "../harness/http.ts";
import { expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const PAGES = ["/account", "/account/security", "/account/sessions", "/account/apps", "/account/activity"];
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function newPerson(name = "Ada"): Promise<Agent> {
  const agent = newAgent(issuer);
  const email = `account-page-${Math.random().toString(36).slice(2)}@example.com`;
  await agent.submit(await agent.open("/sign-up"), {
    fields: { Name: name, Email: email, Password: "a long enough password" },
    button: "Create account",
  });
  return agent;
}

const csrfOf = (page: Page) =>
  page.document.querySelector("form[action='/account/picture'] input[name=csrf]")?.getAttribute("value") ?? "";

/** Uploads a file as a browser does. */
async function upload(
  agent: Agent,
  file: Buffer,
  fields: Record<string, string> = { action: "upload" },
  csrf?: string,
): Promise<Page> {
  const boundary = "----boundary";
  const part = (head: string, body: Buffer | string) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ];
  const all: Record<string, string> = { csrf: csrf ?? csrfOf(await agent.open("/account")), ...fields };
  const body = Buffer.concat([
    ...Object.entries(all).flatMap(([name, value]) => part(`Content-Disposition: form-data; name="${name}"`, value)),
    ...part('Content-Disposition: form-data; name="picture"; filename="me.png"\r\nContent-Type: text/html', file),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const headers = {
    "content-type": `multipart/form-data; boundary=${boundary}`,
    origin: issuer,
    "sec-fetch-site": "same-origin",
  };
  return agent.request("/account/picture", { method: "POST", headers, body });
}

describe("the account pages", () => {
  test.each(PAGES)("N80 %s has the headers of every page, and needs a session", async (path) => {
    const page = await (await signIn(issuer, "account-pages")).open(path);
    expect(page.status).toBe(200);
    expectPageHeaders(page);
    expect(page.document.querySelector('nav a[aria-current="page"]')?.getAttribute("href")).toBe(path);
    const stranger = await newAgent(issuer).request(path);
    expect([stranger.status, stranger.headers.get("location")]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(path)}`,
    ]);
  });

  test("a notice comes from our own texts alone", async () => {
    const agent = await newPerson();
    expect((await agent.open("/account?notice=saved")).document.querySelector("[role=status]")?.text.trim()).toBe(
      "Saved.",
    );
    for (const notice of ["<b>evil</b>", "constructor", "__proto__"]) {
      expect(
        (await agent.open(`/account?notice=${encodeURIComponent(notice)}`)).document.querySelector("[role=status]"),
      ).toBeNull();
    }
  });
});

describe("RG-09 name and picture", () => {
  test("the name is one line of at most 80 characters, and stays apart from the text around it", async () => {
    const agent = await newPerson();
    const saved = await agent.submit(await agent.open("/account"), {
      fields: { Name: "  Ädä <b>L</b>  " },
      button: "Save",
    });
    expect(saved.document.querySelector(".person bdi")?.innerHTML).toBe("Ädä &lt;b>L&lt;/b>");
    for (const name of ["", " ", "x".repeat(81), "two\nlines", "\u0000", "\u2028"]) {
      const refused = await agent.submit(await agent.open("/account"), { fields: { Name: name }, button: "Save" });
      expect(refused.status).toBe(400);
      expect(refused.document.querySelector('[aria-invalid="true"]')?.getAttribute("aria-describedby")).toBe("problem");
    }
  });

  test("an uploaded picture is served from our origin, without rights", async () => {
    const agent = await newPerson();
    const done = await agent.follow(await upload(agent, PNG));
    const src = done.document.querySelector("img.avatar")?.getAttribute("src") ?? "";
    const picture = await agent.request(src);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]); // encoded again
    expect(picture.body.toString("latin1", 0, 12)).toMatch(/^RIFF.{4}WEBP$/s);
    expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
    expect(picture.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect((await newAgent(issuer).request(src)).status).toBe(303);

    // A browser asks each time: after a sign-out it has no picture to show.
    expect(picture.headers.get("cache-control")).toBe("private, no-cache");
    const condition = { headers: { "if-none-match": picture.headers.get("etag") ?? "" } };
    const again = await agent.request(src, condition);
    expect([again.status, again.body.length, again.headers.get("etag")]).toEqual([304, 0, picture.headers.get("etag")]);
    expect((await newAgent(issuer).request(src, condition)).status).toBe(303);

    await upload(agent, Buffer.alloc(0), { action: "remove" });
    expect((await agent.open("/account")).document.querySelector("img.avatar")).toBeNull();
    expect((await agent.request("/account/picture")).status).toBe(404);
  });

  test("OI-05 RG-09: a client with the scope profile is told a URL that shows the picture on other sites, until it is removed", async () => {
    const agent = await newPerson();
    await upload(agent, PNG);
    const tokens = await redeem(issuer, CLIENTS.web, await obtainCode(agent, CLIENTS.web, { scope: "openid profile" }));
    const access = textOf(tokens, "access_token");
    const claims = async () =>
      json(await send(issuer, "/userinfo", { headers: { authorization: `Bearer ${access}` } }));
    const { picture, updated_at } = await claims();
    expect(String(picture)).toMatch(new RegExp(`^${issuer}/picture/[\\w-]{22}$`));
    expect(updated_at).toEqual(expect.any(Number));

    const shown = await send(issuer, new URL(String(picture)).pathname);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(shown.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(shown.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");

    await upload(agent, Buffer.alloc(0), { action: "remove" });
    expect((await send(issuer, new URL(String(picture)).pathname)).status).toBe(404);
    expect(await claims()).not.toHaveProperty("picture");
  });

  test.each<[string, Buffer, number]>([
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>"), 400],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400],
    ["the first bytes of a PNG", PNG.subarray(0, 12), 400],
    ["nothing", Buffer.alloc(0), 400],
    ["more than 256 KiB", Buffer.concat([PNG, Buffer.alloc(256 * 1024)]), 400],
    ["more than a form may have", Buffer.alloc(1024 * 1024), 413],
  ])("%s is refused as a picture", async (_, file, status) => {
    const agent = await newPerson();
    expect((await upload(agent, file)).status).toBe(status);
    expect((await agent.open("/account")).document.querySelector("img.avatar")).toBeNull();
  });

  test("N16 an upload needs the CSRF token", async () => {
    const agent = await newPerson();
    expect((await upload(agent, PNG, { action: "upload" }, "x")).status).toBe(403);
  });

  test("a form that is not multipart, or broken, is refused", async () => {
    const agent = await newPerson();
    const page = await agent.open("/account");
    expect((await agent.post(page, { button: "Upload" })).status).toBe(415);
    const headers = {
      "content-type": "multipart/form-data; boundary=x",
      origin: issuer,
      "sec-fetch-site": "same-origin",
    };
    expect((await agent.request("/account/picture", { method: "POST", headers, body: "--y" })).status).toBe(400);
  });
});

describe("SN-01 the sessions of an account", () => {
  test("have device, address and method; one of them or all others can be ended", async () => {
    const here = await signIn(issuer, "account-pages");
    const phone = newAgent(issuer);
    const userAgent = { headers: { "user-agent": "Mozilla/5.0 (iPhone) Version/17 Safari/604" } };
    const page = await phone.open("/sign-in");
    const fields = { Email: emailOf("account-pages"), Password: PASSWORD };
    await phone.submit(page, { fields, button: "Sign in", ...userAgent });
    const list = await here.open("/account/sessions");
    expect(list.text).toContain("Safari on iPhone");
    expect(list.document.text).toContain("with your password");
    expect(list.document.querySelectorAll(".badge.current")).toHaveLength(1);

    const row = list.document.querySelectorAll(".rows li").find((one) => one.text.includes("iPhone"));
    const session_id = row?.querySelector("input[name=session_id]")?.getAttribute("value") ?? "";
    const ended = await here.submit(list, { button: "End session", override: { session_id } });
    expect(ended.text).toContain("Session ended.");
    expect((await here.open("/account/activity")).document.querySelector(".events strong")?.text).toBe("Session ended");
    expect((await phone.request("/account")).status).toBe(303);
  });

  test("of somebody else cannot be ended", async () => {
    const ada = await newPerson();
    const other = await newPerson("Eve");
    const list = await ada.open("/account/sessions");
    const own = await other.open("/account/sessions");
    const session_id = list.document.querySelector("input[name=session_id]")?.getAttribute("value") ?? "unknown";
    await other.post(own, { button: "Sign out everywhere else", override: { action: "revoke_session", session_id } });
    expect((await ada.request("/account")).status).toBe(200);
  });
});

test("SN-05 the activity names what happened, in the language of the page", async () => {
  const agent = await newPerson();
  await agent.submit(await agent.open("/account"), { fields: { Name: "Augusta" }, button: "Save" });
  expect((await agent.open("/account/activity")).text).toContain("Profile changed");
  expect((await agent.open("/account/activity?before=0")).text).toContain("Nothing has happened yet.");
  const german = await agent.request("/account/activity", { headers: { "accept-language": "de" } });
  expect(german.text).toContain("Profil geändert");
});
