import { sign, verify } from "@octokit/webhooks-methods";
import { describe, expect, test } from "vitest";
import { enabled, receiver, type Sent } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";

const SECRET = "a_secret_for_everybody";
const OPENED = JSON.stringify({
  action: "opened",
  issue: { node_id: "I_1", number: 7 },
  repository: { node_id: "R_1" },
});

async function deliver(sent: Sent, secret = SECRET) {
  const { send, store } = receiver({ github: enabled(secret) });
  await send("github", sent);
  return store.deliveries[0];
}

describe("GitHub", () => {
  test("the official vector is verified, although its body is no JSON", async () => {
    const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const headers = { "content-type": "application/json", "x-hub-signature-256": signature };
    expect(await sign("It's a Secret to Everybody", "Hello, World!")).toBe(signature);
    const sent = { body: "Hello, World!", headers };
    expect(await deliver(sent)).toMatchObject({ reason: "signature_mismatch" });
    expect(await deliver(sent, "It's a Secret to Everybody")).toMatchObject({ reason: "unparsable", secretId: "s0" });
  });

  test("the type is the event and its action, the id is that of the delivery", async () => {
    const sent = signedBy("github", {
      body: OPENED,
      secret: SECRET,
      timestamp: 0,
      type: "issues.opened",
      id: "72d3162e",
    });
    expect(sent.headers).toMatchObject({ "x-github-event": "issues", "x-github-delivery": "72d3162e" });
    expect(await deliver(sent)).toMatchObject({ reason: "accepted", eventType: "issues.opened", eventId: "72d3162e" });
    const push = signedBy("github", { body: "{}", secret: SECRET, timestamp: 0, type: "push" });
    expect(await deliver(push)).toMatchObject({ eventType: "push" });
  });

  test("a form is signed as it is, and its payload is the event", async () => {
    const body = new URLSearchParams({ payload: OPENED.replace("opened", "ünïcode") }).toString();
    const { headers } = signedBy("github", { body, secret: SECRET, timestamp: 0, type: "issues.opened" });
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    expect(await deliver({ body, headers: form })).toMatchObject({ reason: "accepted", eventType: "issues.ünïcode" });
    expect(await deliver({ body: `${body}&x=1`, headers: form })).toMatchObject({ reason: "signature_mismatch" });
  });

  test("SHA-1 alone is no signature", async () => {
    const headers = {
      "content-type": "application/json",
      "x-hub-signature": "sha1=7d38cdd689735b008b3c702edd92eea23791c5f6",
    };
    expect(await deliver({ body: OPENED, headers })).toMatchObject({ reason: "signature_missing" });
  });

  test.each([
    ["a genuine delivery", OPENED, SECRET, true],
    ["an altered body", `${OPENED} `, SECRET, false],
    ["another secret", OPENED, "another_secret", false],
  ])("octokit agrees about %s", async (_, body, secret, valid) => {
    const { headers } = signedBy("github", { body: OPENED, secret: SECRET, timestamp: 0 });
    expect(await verify(secret, body, headers["x-hub-signature-256"] ?? "")).toBe(valid);
    expect((await deliver({ body, headers }, secret))?.reason).toBe(valid ? "accepted" : "signature_mismatch");
    const theirs = { ...headers, "x-hub-signature-256": await sign(secret, body) };
    expect((await deliver({ body, headers: theirs }, secret))?.reason).toBe("accepted");
  });
});
