import { describe, expect, test } from "vitest";
import { createGuard } from "./guard.ts";
import { defaultDeny, excludeWebhooks, protectCallback } from "./presets.ts";

const PRESETS = {
  protectCallback: protectCallback<string>(),
  defaultDeny: defaultDeny<string>(),
  excludeWebhooks: excludeWebhooks<string>(),
};
const NAMES = ["protectCallback", "defaultDeny", "excludeWebhooks"] as const;

/** Path, then what each preset answers a caller without a session, in the order of {@link NAMES}. */
const TABLE: [string, number | "pass", number | "pass", number | "pass"][] = [
  ["/api/webhooks/stripe", "pass", "pass", "pass"],
  ["/api/webhooks/stripe/", "pass", "pass", "pass"],
  ["//api/webhooks/stripe", "pass", "pass", "pass"],
  ["/api/webhooks%2Fstripe", "pass", 401, 401],
  ["/API/WEBHOOKS/stripe", "pass", "pass", "pass"],
  ["/api/webhooks/stripe%0a", 400, 400, 400],
  ["/api/webhooks/stripe%00", 400, 400, 400],
  ["/api/webhooks-admin", "pass", 401, 401],
  ["/api/webhooksX", "pass", 401, 401],
  ["/api/webhooks/", "pass", 401, 401],
  ["/api/webhooks/a/b", "pass", 401, 401],
  ["/api/webhooks/../admin", "pass", 401, 401], // a URL parser has made it /api/admin
  ["/api/webhooks/../protected", 401, 401, 401],
  ["/api/webhooks%2f..%2fprotected", 400, 400, 400],
  ["/api/webhooks/%2e%2e%2fprotected", 400, 400, 400],
  ["/api/protected", 401, 401, 401],
  ["/api/protected/", 401, 401, 401],
  ["/api/protected/deep/er?_rsc=1", 401, 401, 401],
  ["//api//protected", 401, 401, 401],
  ["/API/Protected", 401, 401, 401],
  ["/%61pi/protected", 401, 401, 401],
  ["/api%2fprotected", 401, 401, 401],
  ["/api%252fprotected", 400, 400, 400],
  ["/api/protected%0a", 400, 400, 400],
  ["/api/protectedX", "pass", 401, 401],
  ["/api/resource", "pass", 401, 401],
  ["/trpc/users.list", "pass", 401, 401],
  ["/anything", "pass", 401, 401],
  ["/authorize", "pass", "pass", "pass"],
  ["/token", "pass", "pass", "pass"],
  ["/.well-known/oauth-authorization-server", "pass", "pass", "pass"],
  ["/sign-in", "pass", "pass", "pass"],
  ["/_next/static/chunk.js", "pass", "pass", "pass"],
  ["/_next/image", "pass", "pass", "pass"],
  ["/favicon.ico", "pass", "pass", "pass"],
  ["/_next/staticX", "pass", 401, 401],
];

const CASES = TABLE.flatMap(([path, ...answers]) =>
  answers.map((answer, at) => [NAMES[at] ?? "protectCallback", path, answer] as const),
);

describe("the guard presets", () => {
  const answer = async (name: (typeof NAMES)[number], path: string, session: string | undefined) => {
    const { callback, ...options } = PRESETS[name];
    const guard = createGuard(callback, { ...options, readSession: async () => session });
    const headers = { "x-middleware-subrequest": "middleware:middleware:middleware" };
    return (await guard(new Request(`http://gate.example${path}`, { headers })))?.status ?? "pass";
  };

  test.each(CASES)("SD-02 SD-05 N39 %s, no session: %s → %s", async (name, path, expected) => {
    expect(await answer(name, path, undefined)).toBe(expected);
  });

  test.each(CASES)("%s, with a session: %s passes unless malformed (%s)", async (name, path, expected) => {
    expect(await answer(name, path, "ada")).toBe(expected === 400 ? 400 : "pass");
  });
});
