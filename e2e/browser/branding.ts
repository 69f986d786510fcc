import type { Page } from "@playwright/test";

export const run = Date.now();

/** What the frame with this title shows. */
export const framed = (page: Page, title: string) =>
  page.getByRole("region", { name: "Preview" }).frameLocator(`iframe[title="${title}"]`);
