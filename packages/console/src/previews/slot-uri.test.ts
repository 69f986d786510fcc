import { describe, expect, test } from "vitest";
import { NOON } from "../testing/installation.ts";
import { matchesSlot, outsideFrame } from "./slot-uri.ts";

const FRAME = { hostPrefix: "shop-git-", hostSuffix: "-team.vercel.app", path: "/callback" };
const INSIDE = "https://shop-git-pr-1-team.vercel.app/callback";

describe("CO-29 the frame of previews", () => {
  test("has room for letters, digits and hyphens between prefix and suffix", () => {
    expect(outsideFrame(FRAME, INSIDE)).toBeUndefined();
    expect(
      outsideFrame(
        { ...FRAME, hostPrefix: "", hostSuffix: ".preview.example" },
        "https://pr-1.preview.example/callback",
      ),
    ).toBeUndefined();
  });

  test.each([
    ["http://shop-git-pr-1-team.vercel.app/callback", "https://"],
    ["https://shop-git-pr-1-team.vercel.app:8443/callback", "no port"],
    ["https://evil-git-pr-1-team.vercel.app/callback", "starts with shop-git-"],
    ["https://shop-git-pr-1-evil.vercel.app/callback", "ends with -team.vercel.app"],
    ["https://shop-git-evil.example/-team.vercel.app/callback", "ends with -team.vercel.app"],
    ["https://shop-git-evil.example-team.vercel.app/callback", "letters, digits or hyphens"],
    ["https://shop-git-PR-team.vercel.app/callback", "lower-case"],
    ["https://shop-git--team.vercel.app/callback", "between"],
    ["https://shop-git-team.vercel.app/callback", "between"],
    ["https://shop-git-pr-1-team.vercel.app/callback/", "path /callback"],
    ["https://shop-git-pr-1-team.vercel.app/callback?next=x", "path /callback"],
    ["https://shop-git-pr-1-team.vercel.app", "path /callback"],
    ["https://shop-git-x@evil.example#-team.vercel.app/callback", "ends with"],
    ["https://user@shop-git-pr-1-team.vercel.app/callback", "starts with"],
    ["javascript:alert(1)", "https://"],
  ])("does not contain %s", (uri, difference) => {
    expect(outsideFrame(FRAME, uri)).toContain(difference);
  });
});

describe("CO-28 the redirect URI of a slot", () => {
  const slot = { id: "slot", clientId: "shop", key: "pr-1", redirectUri: INSIDE, endsAt: NOON + 60 };
  const client = { clientId: "shop", environment: "development", frame: FRAME } as const;

  test("matches byte for byte while the slot is live", () => {
    expect(matchesSlot(slot, client, INSIDE, NOON)).toBe(true);
  });

  test.each([
    ["another URI", slot, client, `${INSIDE}/`, NOON],
    ["the same URI in other case", slot, client, INSIDE.replace("pr-1", "PR-1"), NOON],
    ["its end", slot, client, INSIDE, NOON + 60],
    ["another client", slot, { ...client, clientId: "other" }, INSIDE, NOON],
    ["production", slot, { ...client, environment: "production" as const }, INSIDE, NOON],
    ["a client without a frame", slot, { ...client, frame: null }, INSIDE, NOON],
    ["a narrower frame", slot, { ...client, frame: { ...FRAME, path: "/other" } }, INSIDE, NOON],
  ])("does not match for %s", (_, ofSlot, ofClient, sent, now) => {
    expect(matchesSlot(ofSlot, ofClient, sent, now)).toBe(false);
  });
});
