import { afterEach, describe, expect, test, vi } from "vitest";
import { normaliseEmail } from "./addresses/email-address.ts";
import { readPasskeyName } from "./passkeys/names.ts";
import { MOST_PASSWORD_CHARACTERS, passwordLength } from "./passwords/characters.ts";
import { createPasswordHasher } from "./passwords/hasher.ts";
import { readName } from "./registration/draft.ts";

/** Marks that have to be sorted: normalising them takes the square of their number. */
const marks = (count: number) => "\u0301\u0316".repeat(count / 2);
const hasher = createPasswordHasher({ concurrency: 1 });

describe("text of any length is refused at the cost of a short one", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each<[string, (text: string) => unknown]>([
    ["EA-01: an email address", (text) => normaliseEmail(`${text}@shop.example`)],
    ["RG-09: a name", readName],
    ["WA-09: the name of a passkey", readPasskeyName],
    ["PW-02: a new password", (text) => (passwordLength(text) > MOST_PASSWORD_CHARACTERS ? undefined : "accepted")],
    [
      "PW-02: the password of a sign-in",
      async (text) => ((await hasher.verify(null, text)) === "wrong" ? undefined : "accepted"),
    ],
  ])("%s", async (_, read) => {
    const normalised = vi.spyOn(String.prototype, "normalize");
    expect(await read(`a${marks(20_000)}`)).toBeUndefined();
    for (const text of normalised.mock.contexts) expect(String(text).length).toBeLessThanOrEqual(4096);
  });
});
