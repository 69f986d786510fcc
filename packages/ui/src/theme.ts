import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Modal,
  Notification,
  type VariantColorsResolver,
} from "@mantine/core";
import { amber, blue, emerald, font, green, indigo, monospace, night, radius, red, slate, tokens } from "./palette.ts";

/** Mantine chooses the text on a filled colour by its light shade alone; in the dark the fill is lighter and needs dark text. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const white = input.variant === "filled" && colors.color === "var(--mantine-color-white)";
  return white ? { ...colors, color: "var(--gh-on-filled)" } : colors;
};

const hues = { indigo, red, teal: emerald, yellow: amber, blue, green };

/** Mantine wearing the tokens of tokens.css. */
export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.25,
  variantColorResolver,
  colors: {
    indigo: [...indigo],
    gray: [...slate],
    dark: [...night],
    teal: [...emerald],
    red: [...red],
    yellow: [...amber],
    blue: [...blue],
    green: [...green],
  },
  black: slate[9],
  fontFamily: font,
  fontFamilyMonospace: monospace,
  headings: { fontFamily: font, fontWeight: "650" },
  defaultRadius: "md",
  radius: { md: radius },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { "aria-label": "Close" } } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { "aria-label": "Close" }, attributes: { header: { role: "presentation" } } },
      styles: { title: { fontWeight: 650, fontSize: "var(--gh-text-lg)" } },
    }),
  },
});

/** Mantine writes on tinted surfaces in the lightest shade, which is nearly white: what is red must look red in the dark, too. */
const tintedText = (shade: number) =>
  Object.fromEntries(Object.entries(hues).map(([name, shades]) => [`--mantine-color-${name}-light-color`, shades[shade] ?? ""]));

/** Puts the shared surface and text colours where Mantine's components look for theirs. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--gh-on-filled": "#ffffff",
    "--mantine-color-body": tokens["--gh-surface"][0],
    "--mantine-color-text": tokens["--gh-text"][0],
    "--mantine-color-dimmed": tokens["--gh-text-muted"][0],
    "--mantine-color-default-border": tokens["--gh-border"][0],
    "--mantine-color-error": tokens["--gh-danger"][0],
  },
  dark: {
    ...tintedText(3),
    "--gh-on-filled": slate[9],
    "--mantine-color-body": tokens["--gh-surface"][1],
    "--mantine-color-text": tokens["--gh-text"][1],
    "--mantine-color-dimmed": tokens["--gh-text-muted"][1],
    "--mantine-color-default-border": tokens["--gh-border"][1],
    "--mantine-color-error": tokens["--gh-danger"][1],
  },
});
