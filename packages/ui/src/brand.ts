// A brand has one colour. Text in it has to be readable in both themes, so each theme gets a shade of it. BD-01.

type Colour = readonly [red: number, green: number, blue: number];

/** The lowest contrast of text with what is behind it. WCAG 2.2 §1.4.3. */
export const MIN_CONTRAST = 4.5;

/**
 * What stands behind text of the accent colour: surfaces and backgrounds of tokens.css; `soft` is mixed with the
 * brand's colour.
 */
const THEMES = {
  light: { behind: ["#ffffff", "#f8fafc", "#f1f5f9"], soft: { base: "#ffffff", share: 0.08 }, towards: "#000000" },
  dark: {
    behind: ["#0f172a", "#0b1222", "#070c18", "#1a2436"],
    soft: { base: "#0b1222", share: 0.18 },
    towards: "#ffffff",
  },
} as const;

/** The shades of one theme. */
export type Shades = { accent: string; hover: string; soft: string };
export type BrandTheme = { light: Shades; dark: Shades };

/**
 * The shades of a brand's colour (`#rrggbb`): the colour itself where its contrast is at least 4.5, otherwise the
 * nearest shade that has it.
 */
export function brandTheme(colour: string): BrandTheme {
  return { light: shadesOf(colour, "light"), dark: shadesOf(colour, "dark") };
}

/** A stylesheet that replaces the accent of tokens.css with the brand's colour. */
export function brandStylesheet(colour: string | undefined): string {
  if (colour === undefined) return ":root {}\n";
  const { light, dark } = brandTheme(colour);
  const both = (shade: keyof Shades) => `light-dark(${light[shade]}, ${dark[shade]})`;
  return `:root {
  --gh-accent: ${both("accent")};
  --gh-accent-hover: ${both("hover")};
  --gh-accent-soft: ${both("soft")};
  --gh-focus: 0 0 0 3px light-dark(${light.accent}59, ${dark.accent}73);
}
`;
}

const STEPS = 50;

function shadesOf(colour: string, name: keyof typeof THEMES): Shades {
  const theme = THEMES[name];
  const soft = mix(theme.soft.base, colour, theme.soft.share);
  const behind = [...theme.behind, soft];
  let accent = colour;
  for (let step = 1; step <= STEPS && behind.some((surface) => contrast(accent, surface) < MIN_CONTRAST); step++) {
    accent = mix(colour, theme.towards, step / STEPS);
  }
  return { accent, hover: mix(accent, theme.towards, 0.15), soft };
}

/** The contrast of two colours, from 1 to 21. WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(parse(one)), luminance(parse(other))].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(colour: string): Colour {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/** `share` of `other` in `base`. */
function mix(base: string, other: string, share: number): string {
  const [from, to] = [parse(base), parse(other)];
  const parts = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${parts.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
