import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { font, monospace, radius, tokens } from "./palette.ts";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

describe("tokens.css and palette.ts have the same values", () => {
  test.each(Object.entries(tokens))("%s", (name, [light, dark]) => {
    expect(css).toContain(`${name}: light-dark(${light}, ${dark});`);
  });

  test("fonts and radius", () => {
    expect(css).toContain(`--gh-font: ${font};`);
    expect(css).toContain(`--gh-font-mono: ${monospace};`);
    expect(css).toContain(`--gh-radius: ${radius};`);
  });
});
