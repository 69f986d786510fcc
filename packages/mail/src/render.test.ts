import type { MailKind } from "@gatehouse/accounts";
import { LOCALES } from "@gatehouse/languages";
import { contrast, MIN_CONTRAST } from "@gatehouse/ui/brand";
import { describe, expect, test } from "vitest";
import { frame } from "./frame.tsx";
import { facts, text } from "./letter.ts";
import { renderMail } from "./render.ts";
import { TEMPLATES } from "./templates/index.ts";
import { EXAMPLES } from "./testing/examples.ts";

const PRESENTATION = { product: "Gatehouse", issuer: "https://id.example" };
const EVERY = (Object.keys(TEMPLATES) as MailKind[]).flatMap((kind) =>
  LOCALES.map((locale) => [kind, locale] as const),
);

describe("mails, EM-04", () => {
  test.each(EVERY)("EM-04 LG-03 %s in %s says the same in text and HTML, and loads nothing", (kind, locale) => {
    const {
      html,
      text: plain,
      subject,
      link,
      code,
    } = renderMail({ kind, locale }, { data: EXAMPLES[kind] }, PRESENTATION);
    expect(html).toMatch(
      new RegExp(`^<!doctype html><html lang="${locale}" dir="${locale === "ar" ? "rtl" : "ltr"}">`),
    );
    expect(subject).not.toBe("");
    // The link is there to be copied as well, and nothing else can be fetched.
    for (const part of [link, code]) if (part !== undefined) expect(plain).toContain(part);
    if (link !== undefined) expect(html).toContain(`>${link.replaceAll("&", "&amp;")}<`);
    expect(html).not.toMatch(/<(img|link|script|iframe|object|video|audio)\b|url\(|@import|\bsrc=/i);
    expect(html.match(/href="[^"]*"/g) ?? []).toEqual(
      link === undefined ? [] : [`href="${link.replaceAll("&", "&amp;")}"`],
    );
  });

  test("SN-04 a notice names time, device and address, and leads to the security page; of an admin's act, the time alone", () => {
    const TIME = /January 15, 2027|15 January 2027|Jan 15, 2027/;
    for (const kind of Object.keys(TEMPLATES) as MailKind[]) {
      const data = EXAMPLES[kind];
      if (!("at" in data)) continue;
      const { text: plain, link } = renderMail({ kind, locale: "en" }, { data }, PRESENTATION);
      const isOwn = "userAgent" in data;
      expect([kind, TIME.test(plain), /Firefox on Linux/.test(plain), plain.includes("192.0.2.1")]).toEqual([
        kind,
        true,
        isOwn,
        isOwn,
      ]);
      if (!("link" in data)) expect([kind, link]).toEqual([kind, "https://id.example/account/security"]);
    }
  });

  test("SN-04 a notice of what an administrator added names no device, and asks whom to contact", () => {
    const data = { at: 1_800_000_000, userAgent: null, address: null };
    const { text: plain } = renderMail({ kind: "totp_on", locale: "en" }, { data }, PRESENTATION);
    expect(plain).toMatch(/Jan(uary)? 15, 2027/);
    expect(plain).toContain("contact your administrator");
    expect(plain).not.toMatch(/device|address|If this was you/i);
  });

  test("N45 every link of a mail starts with the issuer", () => {
    for (const [kind, locale] of EVERY) {
      const { link } = renderMail({ kind, locale }, { data: EXAMPLES[kind] }, PRESENTATION);
      if (link !== undefined) expect(link.startsWith("https://id.example/")).toBe(true);
    }
  });

  test("BD-01 a mail on the way to an application has its name and a readable shade of its colour, and still loads nothing", () => {
    const brand = { name: "Quiet & Co <b>", colour: "#ffee00" };
    const own = renderMail({ kind: "reset_link", locale: "en" }, { data: EXAMPLES.reset_link }, PRESENTATION);
    const mail = renderMail({ kind: "reset_link", locale: "en" }, { data: EXAMPLES.reset_link, brand }, PRESENTATION);
    expect([own.subject, mail.subject]).toEqual([
      "Reset your Gatehouse password",
      "Reset your Quiet & Co <b> password",
    ]);
    expect(mail.html).toContain("<bdi>Quiet &amp; Co &lt;b></bdi>");
    const colour = /background:(#[0-9a-f]{6})/.exec(mail.html)?.[1] ?? "";
    expect(contrast(colour, "#ffffff")).toBeGreaterThanOrEqual(MIN_CONTRAST);
    const accents = (html: string) => [...html.matchAll(/(?:background:|border-top:4px solid )(#[0-9a-f]{6})/g)];
    expect(accents(mail.html).map(([, accent]) => accent)).toEqual([colour, colour]);
    expect(accents(own.html).map(([, accent]) => accent)).toEqual(["#4f46e5", "#4f46e5"]);
    expect(contrast("#4f46e5", "#ffffff")).toBeGreaterThanOrEqual(MIN_CONTRAST);
    expect(mail.html).not.toMatch(/<img|url\(|\bsrc=/);
    const nameless = renderMail(
      { kind: "reset_link", locale: "en" },
      { data: EXAMPLES.reset_link, brand: {} },
      PRESENTATION,
    );
    expect(nameless.html).toBe(own.html);
  });

  test("BD-01 the footer has the links of the application, and those of the installation that it lacks", () => {
    const presentation = {
      ...PRESENTATION,
      links: { terms: "https://id.example/terms", support: "https://id.example/help" },
    };
    const brand = { links: { support: "https://shop.example/help", privacy: "https://shop.example/privacy" } };
    const mail = renderMail({ kind: "reset_link", locale: "en" }, { data: EXAMPLES.reset_link, brand }, presentation);
    for (const [label, href] of [
      ["Terms", "https://id.example/terms"],
      ["Privacy", "https://shop.example/privacy"],
      ["Support", "https://shop.example/help"],
    ]) {
      expect(mail.text).toContain(`${label}: ${href}`);
      expect(mail.html).toContain(`href="${href}"`);
    }
    expect(mail.html).not.toContain("https://id.example/help");
  });

  test("RG-08 CO-95 an invitation names who invites, as isolated text; one of the command line names nobody", () => {
    const link = "https://id.example/invitation?token=giv_example";
    const invitation = (data: { link: string; inviter?: string }) =>
      renderMail({ kind: "invitation", locale: "en" }, { data }, PRESENTATION);
    const named = invitation({ link, inviter: "<b>Grace</b>" });
    expect(named.text).toContain("\u2068<b>Grace</b>\u2069 invited you to create an account with Gatehouse.");
    expect(named.html).toContain("\u2068&lt;b>Grace&lt;/b>\u2069 invited you");
    expect(named.subject).toBe("You're invited to Gatehouse");
    expect(invitation({ link }).text).toContain("You're invited to create an account with Gatehouse.");
  });

  test("N44 text is escaped in HTML", () => {
    const context = { ...PRESENTATION, locale: "en", texts: { mailFrame: { footer: () => "" }, layout: {} } } as never;
    const { html } = frame(
      { subject: "<b>", blocks: [text("<script>alert(1)</script>"), facts(["Device", '"><img src=x>'])] },
      context,
    );
    expect(html).not.toMatch(/<script|<img|<b>/);
  });
});
