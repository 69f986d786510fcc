import { expect, test } from "vitest";
import { trailingSlash } from "./trailing-slash.ts";

test.each([
  ["/", "none"],
  ["/token", "none"],
  ["/token/", "not_found"],
  ["/api/resource/", "not_found"],
  ["/api/webhooks/stripe/", "alias"],
  ["/api/webhooks/", "not_found"],
])("NX-03 the trailing slash of %s: %s", (path, kind) => {
  expect(trailingSlash(path).kind).toBe(kind);
});
