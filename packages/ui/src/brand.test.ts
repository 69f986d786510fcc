import { describe, expect, test } from "vitest";
import { brandStylesheet, brandTheme, contrast, MIN_CONTRAST } from "./brand.ts";

const BEHIND = { light: ["#ffffff", "#f8fafc", "#f1f5f9"], dark: ["#0f172a", "#0b1222", "#070c18", "#1a2436"] };
/** Text on a button is white in the light theme and the darkest surface in the dark one. */
const ON_ACCENT = { light: "#ffffff", dark: "#0f172a" };

const channel = ["00", "40", "80", "bf", "ff"];
const colours = channel.flatMap((red) => channel.flatMap((green) => channel.map((blue) => `#${red}${green}${blue}`)));

describe("BD-01 the shades of a brand's colour", () => {
  test.each(["light", "dark"] as const)(
    "are readable on everything behind them in the %s theme, whatever the colour",
    (theme) => {
      for (const colour of colours) {
        const { accent, hover, soft } = brandTheme(colour)[theme];
        for (const text of [accent, hover]) {
          for (const surface of [...BEHIND[theme], soft, ON_ACCENT[theme]]) {
            expect(contrast(text, surface), `${colour}: ${text} on ${surface}`).toBeGreaterThanOrEqual(MIN_CONTRAST);
          }
        }
      }
    },
  );

  test("are the colour itself where it is readable", () => {
    expect(brandTheme("#4f46e5").light.accent).toBe("#4f46e5");
    expect(brandTheme("#ffd400").dark.accent).toBe("#ffd400");
    expect(brandTheme("#ffd400").light.accent).not.toBe("#ffd400");
  });

  test("the contrast is that of WCAG", () => {
    expect(contrast("#000000", "#ffffff")).toBe(21);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  });

  test("a stylesheet sets the accent, and nothing without a colour", () => {
    expect(brandStylesheet("#4f46e5")).toContain("--gh-accent: light-dark(#4f46e5, ");
    expect(brandStylesheet(undefined)).not.toContain("--gh");
  });
});
