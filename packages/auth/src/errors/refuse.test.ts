import { describe, expect, test } from "vitest";
import { deviceAuthorization } from "../endpoints/device-authorization.ts";
import { introspect } from "../endpoints/introspect.ts";
import { revoke } from "../endpoints/revoke.ts";
import { token } from "../endpoints/token.ts";
import { requireBearer } from "../guard/bearer.ts";
import {
  type Answer,
  ask,
  basic,
  post,
  query,
  read,
  type Scene,
  scene,
  textAt,
  VERIFIER,
  WEB_SECRET,
} from "../testing/index.ts";

const AUTH = basic("shop-web", WEB_SECRET);
const trade = (s: Scene, code: string, change: Record<string, string> = {}, headers: Record<string, string> = AUTH) =>
  post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER, ...change }, headers);
const refresh = (s: Scene, refreshToken: string) =>
  post(s, token, { grant_type: "refresh_token", refresh_token: refreshToken }, AUTH);

async function knock(s: Scene, secret: string): Promise<Answer | undefined> {
  const request = new Request("https://gate.example/api/resource", { headers: { authorization: `Bearer ${secret}` } });
  const result = await requireBearer(request, { scope: "api:read" }, s.deps, s.caller);
  return result.ok ? undefined : read(result.response);
}

test("OP-77 the host gets cause, id and client of a refusal, but no secret that was sent as client_id", async () => {
  const s = scene();
  const notes: unknown[] = [];
  s.caller.onRefusal = (note) => notes.push(note);
  const wrong = await trade(s, "gac_x", {}, basic("shop-web", "gcs_wrong"));
  await trade(s, "gac_x", {}, basic(WEB_SECRET, "gcs_wrong"));
  await knock(s, "");
  expect(notes).toEqual([
    { errorId: wrong.headers.get("gatehouse-error-id"), cause: "secret_wrong", clientId: "shop-web" },
    { errorId: expect.any(String), cause: "client_unknown", clientId: null },
    { errorId: null, cause: "token_missing", clientId: null },
  ]);
});

/** Each is refused; what it returns is the secret that it showed, and the answers that must not repeat it. */
const REFUSED: [string, string, (s: Scene) => Promise<{ secrets: string[]; answers: (Answer | undefined)[] }>][] = [
  [
    "a wrong client secret",
    "secret_wrong",
    async (s) => ({ secrets: ["gcs_leaked"], answers: [await trade(s, "gac_x", {}, basic("shop-web", "gcs_leaked"))] }),
  ],
  [
    "a secret in the URL",
    "parameter_in_query",
    async (s) => {
      const request = new Request(`https://gate.example/token?client_secret=${WEB_SECRET}`, {
        method: "POST",
        body: new URLSearchParams(),
      });
      return { secrets: [WEB_SECRET], answers: [await read(await token(request, s.deps, s.caller))] };
    },
  ],
  [
    "a password",
    "grant_type_unsupported",
    async (s) => ({
      secrets: ["hunter2"],
      answers: [await post(s, token, { grant_type: "password", username: "ada", password: "hunter2" })],
    }),
  ],
  [
    "a wrong verifier",
    "verifier_wrong",
    async (s) => {
      const code = await s.plantCode();
      return { secrets: [code, "w".repeat(43)], answers: [await trade(s, code, { code_verifier: "w".repeat(43) })] };
    },
  ],
  [
    "a replayed code, which is an alarm",
    "code_replayed",
    async (s) => {
      const code = await s.plantCode();
      const first = await trade(s, code);
      return { secrets: [code, VERIFIER, textAt(first, "access_token")], answers: [await trade(s, code)] };
    },
  ],
  [
    "a reused refresh token, which is an alarm",
    "refresh_token_reused",
    async (s) => {
      s.changeClient("shop-web", { refreshRetrySeconds: 0 });
      const original = textAt(await trade(s, await s.plantCode()), "refresh_token");
      const next = textAt(await refresh(s, original), "refresh_token");
      return { secrets: [original, next], answers: [await refresh(s, original)] };
    },
  ],
  [
    "an unknown access token",
    "token_unknown",
    async (s) => ({ secrets: ["gat_leaked"], answers: [await knock(s, "gat_leaked")] }),
  ],
  [
    "a token of another client at /revoke",
    "token_of_other_client",
    async (s) => {
      const access = textAt(await trade(s, await s.plantCode()), "access_token");
      return { secrets: [access], answers: [await post(s, revoke, { token: access }, basic("other-web", WEB_SECRET))] };
    },
  ],
  [
    "a stranger at /introspect",
    "client_unknown",
    async (s) => ({
      secrets: ["gat_asked", "guess"],
      answers: [await post(s, introspect, { token: "gat_asked" }, basic("nobody", "guess"))],
    }),
  ],
  [
    "a secret from a public client",
    "secret_from_public_client",
    async (s) => ({
      secrets: ["gcs_misplaced"],
      answers: [await post(s, deviceAuthorization, { client_id: "shop-tv", client_secret: "gcs_misplaced" })],
    }),
  ],
];

describe("the failure ledger, D13", () => {
  test.each(REFUSED)(
    "SE-20 SE-21 keeps the cause of %s (%s), and no secret of the request is in it or in the answer",
    async (_, cause, act) => {
      const s = scene();
      const { secrets, answers } = await act(s);
      expect(s.tables.refusals.at(-1)).toMatchObject({ cause });
      const said = JSON.stringify([
        s.tables.refusals,
        answers.map((answer) => [answer?.text, [...(answer?.headers ?? [])]]),
      ]);
      for (const secret of secrets) expect(said).not.toContain(secret);
    },
  );

  test("SE-20 the ledger entry of an authorization error contains neither state nor challenge", async () => {
    const s = scene();
    await ask(s, { state: "the-state-of-the-client", scope: "admin:all" });
    const entry = JSON.stringify(s.tables.refusals);
    expect(entry).toContain("scope_unknown");
    expect(entry).not.toContain("the-state-of-the-client");
    expect(entry).not.toContain(query().get("code_challenge"));
  });

  test("D13 a ledger that cannot be written reaches the log under the error id, and the answer stays the same", async () => {
    const s = scene();
    const broken = new Error("the disk is full");
    const logged: unknown[][] = [];
    s.deps.store = { ...s.store, recordRefusal: () => Promise.reject(broken) };
    s.deps.onError = (...line) => void logged.push(line);
    s.caller.requestId = "the-request";
    const answer = await post(s, token, { grant_type: "password" });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "unsupported_grant_type", error_id: expect.any(String) },
    });
    expect(logged).toEqual([[expect.objectContaining({ cause: broken }), answer.body["error_id"], "the-request"]]);
  });
});
