import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Adapter } from "./adapter.ts";
import { PROVIDERS, type ProviderSlug } from "./index.ts";

const docs = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
const DAY = 86_400;

describe.each(Object.keys(PROVIDERS) as ProviderSlug[])("facts: %s", (slug) => {
  const { facts, samples, contentTypes, toleranceSeconds }: Adapter = PROVIDERS[slug];

  test("docs/webhooks.md lists the URL", () => {
    expect(docs).toContain(`| \`/api/webhooks/${slug}\` |`);
  });

  test("OP-38 keys are kept for 90 days or more, and for longer than the provider can repeat an event", () => {
    const repeats = Math.max((facts.givesUpAfterSeconds ?? 0) / DAY, facts.resendWindowDays ?? 0);
    expect(facts.keepDays).toBeGreaterThanOrEqual(90);
    expect(facts.keepDays).toBeGreaterThanOrEqual(repeats);
  });

  test("there are two samples or more", () => {
    expect(Object.keys(samples).length).toBeGreaterThanOrEqual(2);
  });

  test("texts for people are complete", () => {
    expect(facts.retries).toMatch(/^[A-Z].*\.$/);
    expect(facts.secretHelp).not.toBe("");
    expect(facts.docsUrl).toMatch(/^https:\/\//);
  });

  test("media types are lower case, and a tolerance is never 0", () => {
    expect(contentTypes.every((type) => /^[a-z]+\/[a-z-]+$/.test(type))).toBe(true);
    expect(toleranceSeconds === null || toleranceSeconds > 0).toBe(true);
  });
});
