import { describe, expect, test } from "vitest";
import { scene } from "../testing/index.ts";
import { csrfToken, verifyCsrf } from "./csrf.ts";
import type { ActiveSession } from "./session.ts";

const s = scene();
const other: ActiveSession = {
  ...s.active,
  session: { ...s.session, hash: s.clients.web.secrets[0]?.hash ?? s.session.hash },
};
const visitor = csrfToken(null, undefined, s.deps);
const visitorCookie = visitor.setCookie?.split(";")[0] ?? "";
const stranger = csrfToken(null, undefined, s.deps);
const ofSession = csrfToken(null, s.active, s.deps).token;

const verify = (token: string | undefined, headers: Record<string, string>, active?: ActiveSession) =>
  verifyCsrf(
    { headers: new Headers(headers) },
    new URLSearchParams(token === undefined ? {} : { csrf: token }),
    active,
    s.deps,
  );

describe("SE-09 N16 form posts", () => {
  test.each([
    ["same-origin", { "sec-fetch-site": "same-origin", origin: "https://gate.example" }],
    ["same-origin under no-referrer, where Origin is null", { "sec-fetch-site": "same-origin", origin: "null" }],
    ["typed or reloaded by the user", { "sec-fetch-site": "none" }],
    ["own Origin alone", { origin: "https://gate.example" }],
    ["neither header: the token decides", {}],
  ])("accepts the session's token, %s", (_, headers) => {
    expect(verify(ofSession, headers, s.active)).toBeUndefined();
  });

  test.each([
    ["cross-site", { "sec-fetch-site": "cross-site" }],
    ["same-site", { "sec-fetch-site": "same-site", origin: "https://www.gate.example" }],
    ["an unknown Sec-Fetch-Site", { "sec-fetch-site": "weird" }],
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["a foreign Origin beside same-origin", { "sec-fetch-site": "same-origin", origin: "https://evil.example" }],
    ["Origin null alone", { origin: "null" }],
    ["another port", { origin: "https://gate.example:8443" }],
    ["another scheme", { origin: "http://gate.example" }],
  ])("rejects even the right token, %s", (_, headers) => {
    expect(verify(ofSession, headers, s.active)).toMatchObject({ status: 403, refusalCause: "csrf_failed" });
  });

  test.each<[string, string | undefined, ActiveSession | undefined, string]>([
    ["no token", undefined, s.active, ""],
    ["an empty token", "", s.active, ""],
    ["a made-up token", "x".repeat(80), s.active, ""],
    ["an altered token", `${ofSession.slice(0, -2)}AA`, s.active, ""],
    ["another session's token", ofSession, other, ""],
    ["a visitor's token on a session", visitor.token, s.active, visitorCookie],
    ["a session's token on a visitor", ofSession, undefined, visitorCookie],
    ["another visitor's token", stranger.token, undefined, visitorCookie],
    ["a visitor's token without the cookie", visitor.token, undefined, ""],
    [
      "a value sealed for something else",
      s.deps.seal.seal("pending request", `session ${s.session.hash}`),
      s.active,
      "",
    ],
  ])("rejects %s", (_, token, active, cookie) => {
    expect(verify(token, { "sec-fetch-site": "same-origin", cookie }, active)).toMatchObject({ status: 403 });
  });

  test("rejects a repeated token", () => {
    const form = new URLSearchParams([
      ["csrf", ofSession],
      ["csrf", ofSession],
    ]);
    expect(verifyCsrf({ headers: new Headers() }, form, s.active, s.deps)).toMatchObject({ status: 403 });
  });

  test("before sign-in the token is bound to its own cookie, which is reused", () => {
    expect(visitor.setCookie).toMatch(/^__Host-gatehouse_csrf=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(verify(visitor.token, { cookie: visitorCookie })).toBeUndefined();
    const again = csrfToken(`a=1; ${visitorCookie}`, undefined, s.deps);
    expect(again.setCookie).toBeUndefined();
    expect(verify(again.token, { cookie: visitorCookie })).toBeUndefined();
  });
});
