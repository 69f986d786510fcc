import { expect, test } from "vitest";
import { withEnvironment } from "./with-environment.ts";

test("CO-03 a link keeps the chosen environment, unless it names one of its own", () => {
  expect(withEnvironment("/deliveries", "staging")).toBe("/deliveries?environment=staging");
  expect(withEnvironment("/?getting-started=1", "all")).toBe("/?getting-started=1&environment=all");
  expect(withEnvironment("/deliveries?environment=production", "staging")).toBe("/deliveries?environment=production");
  expect(withEnvironment("/deliveries?outcome=rejected", undefined)).toBe("/deliveries?outcome=rejected");
});
