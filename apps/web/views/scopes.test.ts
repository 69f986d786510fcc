import { SCOPES, type ScopeTable } from "@gatehouse/auth";
import { LOCALES, type Locale } from "@gatehouse/languages";
import { describe, expect, test } from "vitest";
import { describeScope } from "./layout.tsx";

/** Those of the console are for its own clients, whose users see no consent page. */
const shown = Object.entries<ScopeTable[string]>(SCOPES).filter(([, { kind }]) => kind !== "console");

describe.each(LOCALES.filter((locale) => locale !== "en"))("LG-02 the scopes in %s", (locale: Locale) => {
  test("have words of their own", () => {
    for (const [name, { description, translations }] of shown) {
      expect(translations?.[locale]?.trim(), name).toBeTruthy();
      expect(translations?.[locale], name).not.toBe(description);
      expect(describeScope({ name, description }, locale)).toBe(translations?.[locale]);
    }
  });
});

test("AZ-34 a scope that something else describes stays in its words", () => {
  expect(describeScope({ name: "profile", description: "see your shop" }, "de")).toBe("see your shop");
  expect(describeScope({ name: "constructor", description: "build" }, "de")).toBe("build");
});
