import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Modal,
  Notification,
  type VariantColorsResolver,
} from "@mantine/core";
import { amber, blue, emerald, font, green, indigo, monospace, night, radius, red, slate, tokens } from "./palette.ts";

/**
 * Mantine picks the text color of a filled component for the light scheme only. In the dark scheme the fill is lighter
 * and needs dark text.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const white = input.variant === "filled" && colors.color === "var(--mantine-color-white)";
  return white ? { ...colors, color: "var(--gh-on-filled)" } : colors;
};

const hues = { indigo, red, teal: emerald, yellow: amber, blue, green };

/** The Mantine theme, built from the same values as tokens.css. */
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
    // Hiding the scroll bar of the page behind computes the style of every element again, and moves the page. It does
    // not scroll anyway. Mantine’s transition draws a dialog three times before it is seen. A CSS animation shows it.
    ModalRoot: Modal.Root.extend({
      defaultProps: { removeScrollProps: { removeScrollBar: false }, transitionProps: { duration: 0 } },
    }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { "aria-label": "Close" }, attributes: { header: { role: "presentation" } } },
      styles: { title: { fontWeight: 650, fontSize: "var(--gh-text-lg)" }, content: { overscrollBehavior: "contain" } },
    }),
  },
});

/** In the dark scheme, Mantine's text on tinted surfaces is nearly white. These shades keep its hue. */
const tintedText = (shade: number) =>
  Object.fromEntries(
    Object.entries(hues).map(([name, shades]) => [`--mantine-color-${name}-light-color`, shades[shade] ?? ""]),
  );

/** Dark text needs a lighter fill under the pointer too; Mantine darkens it. */
const filledHover = (shade: number) =>
  Object.fromEntries(
    Object.entries(hues).map(([name, shades]) => [`--mantine-color-${name}-filled-hover`, shades[shade] ?? ""]),
  );

/** Sets Mantine's CSS variables to the shared surface and text colors. */
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
    ...filledHover(3),
    "--gh-on-filled": slate[9],
    "--mantine-color-body": tokens["--gh-surface"][1],
    "--mantine-color-text": tokens["--gh-text"][1],
    "--mantine-color-dimmed": tokens["--gh-text-muted"][1],
    "--mantine-color-default-border": tokens["--gh-border"][1],
    "--mantine-color-error": tokens["--gh-danger"][1],
  },
});
