import { describe, expect, test } from "vitest";
import { mayAssert, providerForAddress } from "./domains.ts";
import { decideLinking, type LinkingFacts } from "./linking.ts";

const NOBODY: LinkingFacts = {
  purpose: "sign_in",
  asking: null,
  owner: null,
  emailVerified: true,
  mayAssert: true,
  ofOtherProvider: false,
  holder: null,
  link: "ask",
  mayCreate: true,
};
const PROVED = { id: "ada", proved: true };
const UNPROVED = { id: "ada", proved: false };
const refused = (reason: string) => ({ kind: "refused", reason });

describe("UP-08 linking", () => {
  test.each<[string, Partial<LinkingFacts>, object]>([
    ["a known identity signs in", { owner: "ada" }, { kind: "sign_in", userId: "ada" }],
    [
      "a known identity signs in without a verified address",
      { owner: "ada", emailVerified: false },
      { kind: "sign_in", userId: "ada" },
    ],
    [
      "a known identity keeps its account if another one has its address",
      { owner: "ada", holder: { id: "bob", proved: true } },
      { kind: "sign_in", userId: "ada" },
    ],
    ["nobody's address: a new account", {}, { kind: "create" }],
    ["nobody's address, no new accounts (UP-09)", { mayCreate: false }, refused("no_account")],
    ["the address of an account: prove it once", { holder: PROVED }, { kind: "prove", userId: "ada" }],
    [
      "the address of an account, link verified: at once",
      { holder: PROVED, link: "verified" },
      { kind: "link", userId: "ada" },
    ],
    [
      "the address of an account, whatever the mode of registration",
      { holder: PROVED, mayCreate: false },
      { kind: "prove", userId: "ada" },
    ],
    ["the address of an unproved account empties it (RG-05)", { holder: UNPROVED }, { kind: "claim", userId: "ada" }],
    [
      "the address of an unproved account is not linked at once",
      { holder: UNPROVED, link: "verified" },
      { kind: "claim", userId: "ada" },
    ],
    ["a domain of another provider (UP-10)", { ofOtherProvider: true }, refused("other_provider")],
    [
      "a domain of another provider, with an account",
      { ofOtherProvider: true, holder: PROVED },
      refused("other_provider"),
    ],
    ["a domain that the provider may not assert (N68)", { mayAssert: false }, refused("other_domain")],
    [
      "a domain that the provider may not assert, known identity (N68)",
      { mayAssert: false, owner: "ada" },
      refused("other_domain"),
    ],
    ["connect", { purpose: "connect", asking: "ada" }, { kind: "connect", userId: "ada" }],
    [
      "connect without a verified address",
      { purpose: "connect", asking: "ada", emailVerified: false },
      { kind: "connect", userId: "ada" },
    ],
    [
      "connect with the address of another account",
      { purpose: "connect", asking: "ada", holder: { id: "bob", proved: true } },
      { kind: "connect", userId: "ada" },
    ],
    ["connect again", { purpose: "connect", asking: "ada", owner: "ada" }, { kind: "already_connected" }],
    [
      "connect the identity of another account",
      { purpose: "connect", asking: "ada", owner: "bob" },
      refused("connected_elsewhere"),
    ],
    ["connect after signing out", { purpose: "connect" }, refused("signed_out")],
    ["confirm", { purpose: "confirm", asking: "ada", owner: "ada" }, { kind: "confirm", userId: "ada" }],
    ["confirm as another account", { purpose: "confirm", asking: "ada", owner: "bob" }, refused("other_account")],
    ["confirm with an unknown identity", { purpose: "confirm", asking: "ada" }, refused("other_account")],
    ["confirm after signing out", { purpose: "confirm", owner: "ada" }, refused("signed_out")],
    ["renew", { purpose: "renew", asking: "ada", owner: "ada" }, { kind: "sign_in", userId: "ada" }],
    ["renew as another account", { purpose: "renew", asking: "ada", owner: "bob" }, refused("other_account")],
    ["renew with an unknown identity", { purpose: "renew", asking: "ada" }, refused("other_account")],
    ["renew after signing out", { purpose: "renew", owner: "ada" }, refused("signed_out")],
  ])("%s", (_, facts, decision) => {
    expect(decideLinking({ ...NOBODY, ...facts })).toEqual(decision);
  });

  test("N66 an unverified address is answered alike, whether an account has it or not", () => {
    const answers = [null, PROVED, UNPROVED].flatMap((holder) =>
      [true, false].map((mayCreate) => decideLinking({ ...NOBODY, emailVerified: false, holder, mayCreate })),
    );
    expect(answers).toEqual(answers.map(() => refused("email_unverified")));
  });
});

describe("UP-10 domains", () => {
  const corporate = { id: "corp", enabled: true, settings: { domains: ["corp.example"] } };
  const open = { id: "google", enabled: true, settings: {} };

  test.each([
    ["ada@corp.example", "corp"],
    ["ada@sub.corp.example", undefined],
    ["ada@notcorp.example", undefined],
    ["corp.example@other.example", undefined],
  ])("%s goes to %s", (email, id) => {
    expect(providerForAddress(email, [open, corporate])?.id).toBe(id);
  });

  test("a provider that is switched off takes over no domain", () => {
    expect(providerForAddress("ada@corp.example", [{ ...corporate, enabled: false }])).toBeUndefined();
  });

  test.each([
    ["ada@corp.example", true],
    ["ada@other.example", false],
    [null, false],
  ])("N68 a bound provider asserting %s: %s", (email, allowed) => {
    expect(mayAssert(email, corporate)).toBe(allowed);
    expect(mayAssert(email, open)).toBe(true);
  });
});
