import { describe, expect, test } from "vitest";
import { chooseLocale, type LocaleWishes } from "./choose-locale.ts";

const choose = (wishes: Partial<LocaleWishes>) => chooseLocale({ default: "en", ...wishes });

describe("LG-01 the language of a page", () => {
  test("the client's wish comes before the account's, the cookie's and the browser's", () => {
    const all = { uiLocales: "de", saved: "fr", cookie: "es", acceptLanguage: "ar" } as const;
    expect(choose(all)).toBe("de");
    expect(choose({ ...all, uiLocales: undefined })).toBe("fr");
    expect(choose({ ...all, uiLocales: undefined, saved: null })).toBe("es");
    expect(choose({ acceptLanguage: "ar" })).toBe("ar");
    expect(choose({ default: "fr" })).toBe("fr");
  });

  test("a wish for languages we do not have leaves the choice to the next one", () => {
    expect(choose({ uiLocales: "xx yy", saved: "zz", cookie: "de" })).toBe("de");
  });

  test.each([
    ["fr-CA en", "fr"],
    ["de-DE-1996", "de"],
    ["xx fr", "fr"],
    ["AR-eg", "ar"],
    ["de-x-private", "de"],
    ["*", "en"],
    ["", "en"],
    ["deutsch", "en"],
  ])("RFC 4647 lookup of %j finds %s", (uiLocales, expected) => {
    expect(choose({ uiLocales })).toBe(expected);
  });

  test.each<[string, Partial<LocaleWishes>]>([
    ["Accept-Language", { acceptLanguage: `de${"-a".repeat(7_000)}` }],
    ["Accept-Language, of 36 characters", { acceptLanguage: `de-${"a".repeat(33)}` }],
    ["ui_locales", { uiLocales: `de${"-a".repeat(7_000)}` }],
    ["the cookie", { cookie: `de${"-a".repeat(7_000)}` }],
  ])("a tag of more than 35 characters is ignored in %s, since each part of it would be tried", (_, wishes) => {
    expect(choose(wishes)).toBe("en");
    expect(choose({ ...wishes, acceptLanguage: `${wishes.acceptLanguage ?? "xx"}, fr` })).toBe("fr");
  });

  test.each([
    ["en;q=0.5, de;q=0.9", "de"],
    ["de;q=0, fr", "fr"],
    ["fr;q=0.8, es;q=0.8", "fr"],
    ["pt-BR, es-419;q=0.7", "es"],
    ["de;q=9, fr;q=0.1", "fr"],
    [",,;;=", "en"],
    [`${"xx,".repeat(5000)}de`, "en"],
  ])("Accept-Language %.40s gives %s", (acceptLanguage, expected) => {
    expect(choose({ acceptLanguage })).toBe(expected);
  });
});
