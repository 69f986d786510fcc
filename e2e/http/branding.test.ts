import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf } from "../harness/fixture.ts";
import { authorizePath, signIn } from "../harness/flow.ts";
import { send } from "../harness/http.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";
import { expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const { quietWeb } = CLIENTS;
/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const settings = { displayName: "Quiet & Co <b>", colour: "#0f766e", termsUrl: "https://quiet.example/terms" };

let applicationId = "";
beforeAll(async () => {
  const token = await consoleToken(issuer, "admin");
  const list = dataOf(await query(issuer, "applications.list", { query: quietWeb.client_id }, token)) as {
    items: { id: string }[];
  };
  applicationId = list.items[0]?.id ?? "";
  dataOf(await mutate(issuer, "branding.set", { applicationId, settings }, token));
  dataOf(await mutate(issuer, "branding.setLogo", { applicationId, logo: PNG }, token));
});

describe("BD-01 the branding of an application", () => {
  test("is on sign-in, sign-up and consent on the way to it, without inline styles", async () => {
    const agent = newAgent(issuer);
    const signInPage = await agent.open(authorizePath(quietWeb));
    const signUpPath = signInPage.document.querySelector("p.below a")?.getAttribute("href") ?? "";
    const consent = await (await signIn(issuer, "branding")).open(authorizePath(quietWeb, { prompt: "consent" }));
    for (const page of [signInPage, await agent.open(signUpPath.replaceAll("&amp;", "&")), consent]) {
      expect(page.document.querySelector("header .brand bdi")?.innerHTML).toBe("Quiet &amp; Co &lt;b>");
      expect(page.document.querySelector("header img")?.getAttribute("src")).toMatch(
        new RegExp(`^/brand/${applicationId}/logo\\?v=\\d+$`),
      );
      expect(page.document.querySelector("footer .links a")?.getAttribute("href")).toBe(settings.termsUrl);
      expect(page.text).not.toMatch(/<style|\sstyle="/);
      expectPageHeaders(page);
    }
    expect((await agent.open("/sign-in")).document.querySelector("header .brand")?.text.trim()).toBe("Gatehouse");
  });

  test("names it in mails on the way to it", async () => {
    const mailbox = await openMailbox(issuer);
    const email = emailOf("account-pages");
    const ask = async (agent: Agent, path: string) => {
      const seen = await mailbox.to(email);
      await agent.submit(await agent.open(path), { fields: { Email: email }, button: "Send reset link" });
      return mailbox.next(email, "reset_link", seen);
    };
    const agent = newAgent(issuer);
    const { document } = await agent.open(authorizePath(quietWeb));
    const forgot = document
      .querySelectorAll("a")
      .find((link) => link.getAttribute("href")?.startsWith("/forgot-password"));
    const mail = await ask(agent, forgot?.getAttribute("href")?.replaceAll("&amp;", "&") ?? "");
    expect(mail.subject).toBe("Reset your Quiet & Co <b> password");
    expect((await ask(newAgent(issuer), "/forgot-password")).subject).toBe("Reset your Gatehouse password");
  });

  test("its stylesheet and logo come from our own origin, and browsers may keep them", async () => {
    const page = await newAgent(issuer).open(authorizePath(quietWeb));
    const stylesheets = page.document
      .querySelectorAll('link[rel="stylesheet"]')
      .map((link) => link.getAttribute("href") ?? "");
    const sheet = await send(issuer, stylesheets.at(-1) ?? "");
    expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(sheet.headers.get("x-content-type-options")).toBe("nosniff");
    expect(sheet.text).toContain("--gh-accent: light-dark(#0f766e, ");
    const logo = await send(issuer, `/brand/${applicationId}/logo?v=1`);
    expectLogo(logo);
  });

  test.each(["nothing", "%00", "..%2f..", "__proto__"])("an application %s has neither", async (id) => {
    for (const path of [`/brand/colours/${id}`, `/brand/${id}/logo`]) {
      const answer = await send(issuer, path);
      expect([400, 404]).toContain(answer.status);
      expect(answer.text).not.toContain("--gh-accent");
    }
  });
});

/** A picture as this server encodes it, without rights of its own, that browsers may keep. */
function expectLogo({ headers, body }: Awaited<ReturnType<typeof send>>): void {
  expect(headers.get("content-type")).toBe("image/webp");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  expect(headers.get("cache-control")).toBe("public, max-age=86400, immutable");
  expect(body.subarray(8, 12).toString()).toBe("WEBP");
}

describe("CO-68 the logo of the installation", () => {
  const logoOn = async (path: string) =>
    (await newAgent(issuer).open(path)).document.querySelector("header .brand img")?.getAttribute("src");
  const setLogo = async (logo: string | null) => {
    const admin = await consoleToken(issuer, "admin");
    const { version } = dataOf<{ version: number }>(await query(issuer, "settings.logo", undefined, admin));
    return mutate(issuer, "settings.setLogo", { logo, version }, admin);
  };

  test("is on its own pages and on those of applications without one, and gone once it is removed", async () => {
    const { version } = dataOf<{ version: number }>(await setLogo(PNG));
    const address = `/brand/logo?v=${version}`;
    expect(await logoOn("/sign-in")).toBe(address);
    expect(await logoOn(authorizePath(CLIENTS.web))).toBe(address);
    expect(await logoOn(authorizePath(quietWeb))).toMatch(`/brand/${applicationId}/logo?v=`);
    expectLogo(await send(issuer, address));
    dataOf(await setLogo(null));
    expect(await logoOn("/sign-in")).toBeUndefined();
    expect((await send(issuer, address)).status).toBe(404);
  });

  test.each([
    ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "must be a PNG, JPEG or WebP picture"],
    [
      "HTML after the first bytes of a PNG",
      Buffer.concat([Buffer.from(PNG, "base64").subarray(0, 8), Buffer.from("<html>")]),
      "can’t be read",
    ],
    ["more than 180 KiB", Buffer.alloc(180 * 1024 + 1), "must be at most 180 KiB"],
  ])("%s is refused with the reason", async (_, file, reason) => {
    const answer = await setLogo(file.toString("base64"));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
    expect(await logoOn("/sign-in")).toBeUndefined();
  });
});

describe("CO-68 a preview of a branding that is not saved", () => {
  const draft = { displayName: "Loud & Co", colour: "#b91c1c", supportUrl: "https://loud.example/help" };
  const IN_FRAME = { "sec-fetch-dest": "iframe" };
  const framed = () => newAgent(issuer, issuer, IN_FRAME);
  const previewOf = async (input: object) =>
    dataOf<{ url: string }>(
      await query(issuer, "branding.preview", input, await consoleToken(issuer, "admin")),
    ).url.slice(issuer.length);

  test.each(["sign-in", "consent", "device"])(
    "is the server's own %s page, which only the console can frame, and which does nothing",
    async (name) => {
      const path = await previewOf({ applicationId, settings: draft });
      const page = await framed().open(`${path}&page=${name}&theme=dark`);
      expect(page.document.querySelector("header .brand bdi")?.innerHTML).toBe("Loud &amp; Co");
      expect(page.document.querySelector("html")?.getAttribute("data-theme")).toBe("dark");
      expect(page.document.querySelector('link[href="/brand/colours/b91c1c"]')).not.toBeNull();
      expect(page.document.querySelector("header img")).not.toBeNull();
      expect(page.document.querySelector("footer .links a")?.getAttribute("href")).toBe(draft.supportUrl);
      expect(page.text).not.toMatch(/<script|autofocus/);
      const { headers } = await send(issuer, `${path}&page=${name}&theme=dark`, { headers: IN_FRAME });
      expect(headers.get("content-security-policy")).toMatch(
        /frame-ancestors http:\/\/localhost:\d+; sandbox allow-same-origin$/,
      );
      expect(headers.get("content-security-policy")).toContain("form-action 'none'");
      expect(headers.get("x-frame-options")).toBeNull();
    },
  );

  test("of the installation has its name, and the page of an application keeps what the installation sets", async () => {
    const path = await previewOf({ applicationId: null, settings: { ...draft, displayName: "House" } });
    const page = await framed().open(`${path}&page=sign-in&theme=light`);
    expect(page.document.querySelector("header .brand")?.text.trim()).toBe("House");
    expect(page.document.querySelector("footer .links a")?.getAttribute("href")).toBe(draft.supportUrl);
  });

  test("CO-67 once saved, the installation's colour is on its own pages, and on those of applications without one", async () => {
    const admin = await consoleToken(issuer, "admin");
    const change = async (value: string | null) => {
      const { version } = dataOf<{ version: number }>(await query(issuer, "settings.list", undefined, admin));
      dataOf(await mutate(issuer, "settings.change", { values: { GATEHOUSE_BRAND_COLOUR: value }, version }, admin));
    };
    const stylesheets = async (path: string) =>
      (await newAgent(issuer).open(path)).document
        .querySelectorAll('link[rel="stylesheet"]')
        .map((link) => link.getAttribute("href"));
    await change("#15803d");
    expect(await stylesheets("/sign-in")).toEqual(["/assets/pages.css", "/brand/colours/15803d"]);
    expect(await stylesheets(authorizePath(CLIENTS.web))).toContain("/brand/colours/15803d");
    expect(await stylesheets(authorizePath(quietWeb))).toContain("/brand/colours/0f766e");
    await change(null);
    expect(await stylesheets("/sign-in")).toEqual(["/assets/pages.css"]);
  });

  test.each([{}, { "sec-fetch-dest": "document" }, { "sec-fetch-dest": "embed" }, { "sec-fetch-dest": "empty" }])(
    "is nothing outside of a frame: %o",
    async (headers) => {
      const path = `${await previewOf({ applicationId, settings: draft })}&page=sign-in&theme=dark`;
      const answer = await send(issuer, path, { headers: { ...headers, accept: "text/html" } });
      expect([answer.status, answer.text]).toEqual([404, expect.not.stringContaining("Loud")]);
    },
  );

  test("is for people who could save it: the installation's for admins, an application's for those who manage its clients", async () => {
    const askAs = async (role: string, of: string | null) =>
      (
        await query(
          issuer,
          "branding.preview",
          { applicationId: of, settings: draft },
          await consoleToken(issuer, role),
        )
      ).status;
    expect([await askAs("viewer", null), await askAs("viewer", applicationId), await askAs("developer", null)]).toEqual(
      [403, 403, 403],
    );
  });

  test("opens with a ticket from the console alone, for these pages and themes", async () => {
    const path = await previewOf({ applicationId, settings: draft });
    const wrong = [
      "&page=sign-in",
      "&page=account&theme=dark",
      "&page=constructor&theme=dark",
      "&page=sign-in&theme=red",
    ].map((end) => path + end);
    const forged = [
      "/brand/preview",
      "/brand/preview?ticket=x&page=sign-in&theme=dark",
      `${path.slice(0, -6)}AAAAAA&page=sign-in&theme=dark`,
    ];
    for (const address of [...wrong, ...forged])
      expect([address, (await send(issuer, address, { headers: IN_FRAME })).status]).toEqual([address, 404]);
    const token = await consoleToken(issuer, "admin");
    const bad = await previewOf({ applicationId, settings: { termsUrl: "javascript:alert(1)", colour: "url(x)" } });
    const shown = await framed().open(`${bad}&page=sign-in&theme=dark`);
    expect([shown.status, shown.text]).toEqual([200, expect.not.stringMatching(/alert\(|url\(x/)]);
    expect((await query(issuer, "branding.preview", { applicationId: "nothing", settings: {} }, token)).status).toBe(
      404,
    );
  });
});
