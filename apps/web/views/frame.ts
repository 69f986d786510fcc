import type { Locale, Texts } from "@gatehouse/languages";

/** What every page is rendered with. */
export type Frame = {
  locale: Locale;
  texts: Texts;
  productName: string;
  /** Where the browser sees this page again after the language was changed. */
  back: Back;
  /** The console's address, only if the session is of somebody who can open it. Strangers do not learn it. CO-49. */
  consoleUrl?: string | undefined;
  /**
   * How the app looks that the user signs in to, or else the installation; undefined if nobody set anything. BD-01,
   * CO-68.
   */
  brand?: FrameBrand | undefined;
  /** The page is a picture for the console, in this theme: it runs no script and takes no focus. CO-68. */
  preview?: { theme: "light" | "dark" } | undefined;
  /** Why the page is shown again, above all that it has. */
  problem?: string | undefined;
};

/** URLs are paths on our own origin, except for the links. */
export type FrameBrand = {
  name?: string;
  logo?: string;
  stylesheet?: string;
  links: Partial<Record<"terms" | "privacy" | "support", string>>;
};

/**
 * A local path, with the pending request and the path that follow it apart: they are long, and the switch changes the
 * first.
 */
export type Back = { back: string; request: string | undefined; next: string | undefined };
