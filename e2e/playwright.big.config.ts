import { defineConfig } from "@playwright/test";
import config from "./playwright.config.ts";

/** Journeys over a million rows, which take too long for `npm test`. */
export default defineConfig({ ...config, testDir: "big", globalSetup: "./big/global-setup.ts", timeout: 900_000 });
