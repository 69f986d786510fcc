import { describe, expect, test } from "vitest";
import { isSameOrigin } from "./same-origin.ts";

const HOME = "http://localhost:3001";

describe("SE-09 a request is from our own origin", () => {
  const from = (headers: Record<string, string>) => isSameOrigin(new Request(`${HOME}/api/items`, { headers }), HOME);

  test.each([
    ["our pages", { "sec-fetch-site": "same-origin" }, true],
    ["our pages under no-referrer, where Origin is null", { "sec-fetch-site": "same-origin", origin: "null" }, true],
    ["another site", { "sec-fetch-site": "cross-site", origin: HOME }, false],
    ["another port of this host", { "sec-fetch-site": "same-site" }, false],
    ["a typed URL", { "sec-fetch-site": "none" }, false],
    ["our pages in an older browser", { origin: HOME }, true],
    ["another site in an older browser", { origin: "https://evil.test" }, false],
    ["a request without these headers", {}, false],
  ])("if it is from %s: %s → %s", (_, headers, allowed) => {
    expect(from(headers)).toBe(allowed);
  });
});
