import type { Page } from "@playwright/test";

export const name = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
