import { describe, expect, test } from "vitest";
import { authorize, resumeAuthorization } from "../endpoints/authorize.ts";
import { ask, askSignedOut, landed, query, remembered, type Scene, scene, sealedOf, signIn } from "../testing/index.ts";

describe("RG-11 prompt=create", () => {
  test("leads to sign-up, with and without a session, and goes on after it", async () => {
    const s = remembered();
    expect(await askSignedOut(s)).toMatchObject({ kind: "sign_in", create: false });
    for (const result of [await askSignedOut(s, { prompt: "create" }), await ask(s, { prompt: "create" })]) {
      expect(result).toMatchObject({ kind: "sign_in", create: true });
      s.clock.now += 1;
      const resumed = await resumeAuthorization(sealedOf(result, "sign_in"), await signIn(s), s.deps, s.caller);
      expect(landed(resumed)).toMatchObject({ code: expect.any(String) });
    }
  });

  test("cannot be silent", async () => {
    expect(landed(await askSignedOut(scene(), { prompt: "none create" }))).toMatchObject({ error: "invalid_request" });
  });
});

/** A scene where the web client requires a verified address, and the user has allowed it before. */
function verifying(): Scene {
  const s = remembered();
  const client = s.tables.clients.get("shop-web");
  if (!client) throw new Error("no such client");
  s.tables.clients.set("shop-web", { ...client, options: { ...client.options, requireVerifiedEmail: true } });
  return s;
}

describe("RG-06 a client that requires a verified address", () => {
  const verified = (s: Scene) => ({ ...s.active, user: { ...s.user, emailVerifiedAt: s.clock.now } });

  test("gets a code only after the user has verified it, with the same request", async () => {
    const s = verifying();
    const result = await ask(s);
    expect(result.kind).toBe("verify_email");
    const sealed = sealedOf(result, "verify_email");
    expect(await resumeAuthorization(sealed, s.active, s.deps, s.caller)).toMatchObject({ kind: "verify_email" });
    expect(landed(await resumeAuthorization(sealed, verified(s), s.deps, s.caller))).toMatchObject({
      code: expect.any(String),
      state: "s1",
    });
  });

  test("does not ask for a second sign-in after the verification", async () => {
    const s = verifying();
    const sealed = sealedOf(await ask(s, { prompt: "login" }), "sign_in");
    s.clock.now += 1;
    const active = await signIn(s);
    const waiting = sealedOf(await resumeAuthorization(sealed, active, s.deps, s.caller), "verify_email");
    const proved = { ...active, user: { ...active.user, emailVerifiedAt: s.clock.now } };
    expect(landed(await resumeAuthorization(waiting, proved, s.deps, s.caller))).toMatchObject({
      code: expect.any(String),
    });
  });

  test("prompt=none gets interaction_required", async () => {
    const s = verifying();
    expect(landed(await ask(s, { prompt: "none" }))).toMatchObject({ error: "interaction_required" });
    expect(landed(await authorize(query({ prompt: "none" }), verified(s), s.deps, s.caller))).toMatchObject({
      code: expect.any(String),
    });
  });
});
