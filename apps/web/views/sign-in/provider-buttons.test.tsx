/** @jsxImportSource preact */
import { LOCALES } from "@gatehouse/languages";
import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { frame } from "../testing/frame.ts";
import { UpstreamButtons } from "./provider-buttons.tsx";

const buttons = (preset: string, name: string, locale: (typeof LOCALES)[number] = "en") =>
  renderToString(<UpstreamButtons frame={frame(locale)} providers={[{ id: "one", preset, name }]} />);

describe("UP-02 the button of a provider", () => {
  test.each([
    ["google", "Google", "Continue with Google"],
    ["microsoft", "Microsoft", "Sign in with Microsoft"],
    ["github", "GitHub", "Continue with GitHub"],
  ])("has the mark, the colors and the words that its vendor prescribes: %s", (preset, name, words) => {
    const html = buttons(preset, name);
    expect(html).toContain(`class="button quiet vendor ${preset}"`);
    expect(html).toContain("<svg");
    expect(html).toContain(words);
  });

  test.each([
    ["apple", "Apple"],
    ["gitlab", "GitLab"],
    ["oidc", "Corp"],
    ["google", "Work account"],
    ["microsoft", "Contoso"],
  ])("is an ordinary one where no mark may stand: %s, %s", (preset, name) => {
    const html = buttons(preset, name);
    expect(html).toContain('class="button quiet"');
    expect(html).not.toContain("<svg");
    expect(html).toContain(`Continue with ${name}`);
  });

  test.each(LOCALES)("names the vendor in the language %s", (locale) => {
    expect(buttons("microsoft", "Microsoft", locale)).toContain("Microsoft");
    expect(buttons("google", "Google", locale)).toContain("Google");
  });
});
