import { expect, test } from "vitest";
import { z } from "zod";
import { brandDefaults, brandVariables } from "./branding.ts";

const schema = z.object(brandVariables);

test("CO-68 the installation's colour and links follow the rules of an application's branding", () => {
  const given = schema.parse({ GATEHOUSE_BRAND_COLOUR: "#0F766E", GATEHOUSE_SUPPORT_URL: "https://example.com/help" });
  expect(brandDefaults(given)).toMatchObject({
    colour: "#0f766e",
    supportUrl: "https://example.com/help",
    termsUrl: undefined,
  });
  for (const [variable, value] of [
    ["GATEHOUSE_BRAND_COLOUR", "red"],
    ["GATEHOUSE_TERMS_URL", "http://example.com/terms"],
    ["GATEHOUSE_PRIVACY_URL", "javascript:alert(1)"],
    ["GATEHOUSE_SUPPORT_URL", "https://user:password@example.com"],
  ] as const) {
    const { error } = schema.safeParse({ [variable]: value });
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([variable]);
  }
});
