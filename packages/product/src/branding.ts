import { MARK_PATH } from "@gatehouse/ui/mark";

/** How the server's pages present the product. Colours are in brand.css, and the browser's icon is icon.svg. */
export const branding = {
  /** In the header and the title of every page. */
  name: "Gatehouse",
  /** The path of the logo, for a 24 × 24 box, drawn in the accent colour with `fill-rule: evenodd`. */
  markPath: MARK_PATH,
} as const;
