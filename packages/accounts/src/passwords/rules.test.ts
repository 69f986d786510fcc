import { describe, expect, test } from "vitest";
import { createPasswordRules, namesAsWords, operatorPasswordProblems, passwordProblemText } from "./rules.ts";

const rules = createPasswordRules({
  names: async () => namesAsWords(["Gatehouse", "gate.example", "Demo shop of Ada"]),
});
const ADA = { email: "ada.lovelace@example.com", name: "Augusta Ada King" };
const codesOf = async (password: string) => (await rules.problemsOf(password, ADA)).map(({ code }) => code);

describe("PW-01 PW-02 N75 the length of a chosen password", () => {
  test.each([
    ["14 characters", "plum-violin-ab", ["too_short"]],
    ["15 characters", "plum-violin-abz", []],
    ["14 characters of two units each", "🍐🎻🚲🌂🧊🐋🍋🪁🎈🧲🪜🧦🥝🪗", ["too_short"]],
    ["15 characters of two units each", "🍐🎻🚲🌂🧊🐋🍋🪁🎈🧲🪜🧦🥝🪗🪐", []],
    ["15 characters, decomposed", "plum-violin-ab\u00e9".normalize("NFD"), []],
    ["14 characters, 15 when decomposed", "plum-violin-a\u00e9".normalize("NFD"), ["too_short"]],
    ["spaces", "   four   blue   ", []],
    ["256 characters", "plum violin ".repeat(22).slice(0, 255).concat("z"), []],
    ["257 characters", "plum violin ".repeat(22).slice(0, 256).concat("z"), ["too_long"]],
  ])("%s", async (_, password, codes) => {
    expect(await codesOf(password)).toEqual(codes);
  });

  test("another minimum is the operator's", async () => {
    const shorter = createPasswordRules({ leastCharacters: 8, names: async () => [] });
    expect(await shorter.problemsOf("xk7-plum", ADA)).toEqual([]);
    expect(await shorter.problemsOf("xk7plum", ADA)).toEqual([{ code: "too_short", least: 8 }]);
  });
});

describe("PW-03 N75 passwords that are easy to guess", () => {
  test.each([
    ["the email address", "Ada.Lovelace@Example.com", "personal"],
    ["the email address twice", "ada.lovelace@example.comada.lovelace@example.com", "personal"],
    ["its local part, repeated", "ada.lovelaceada.lovelace", "personal"],
    ["the name", "augusta ada king", "personal"],
    ["the name without spaces, repeated", "AugustaAdaKingAugustaAdaKing", "personal"],
    ["the name of the product, repeated", "GatehouseGatehouse", "personal"],
    ["the issuer, repeated", "gate.examplegate.example", "personal"],
    ["the name of an app", "demo shop of ada", "personal"],
    ["a word twice", "passwordpassword", "repetition"],
    ["one letter", "aaaaaaaaaaaaaaaa", "repetition"],
    ["a unit of eight, cut off", "xk7-plumxk7-plumxk", "repetition"],
    ["digits in order", "1234567890123456", "run"],
    ["digits backwards", "987654321098765", "run"],
    ["the alphabet", "ABCDEFGHIJKLMNOP", "run"],
    ["the alphabet backwards", "zyxwvutsrqponmlk", "run"],
    ["a row of keys", "qwertyuiopasdfgh", "run"],
    ["columns of keys", "1qaz2wsx3edc4rfv", "run"],
    ["the Greek alphabet", "αβγδεζηθικλμνξοπ", "run"],
  ])("%s", async (_, password, code) => {
    expect(await codesOf(password)).toEqual([code]);
  });

  test.each(["my password is passwordpassword", "gatehouse and a purple violin", "1234567890 bottles of ink"])(
    "a longer password may contain one: %s",
    async (password) => {
      expect(await codesOf(password)).toEqual([]);
    },
  );
});

test("PW-01 an operator's password may have ten characters", () => {
  const codes = (password: string) => operatorPasswordProblems(password, ADA).map(({ code }) => code);
  expect(codes("123456789")).toEqual(["too_short"]);
  expect(codes("plum-violin")).toEqual([]);
  expect(codes("x".repeat(257))).toEqual(["too_long"]);
  expect(codes("ADA.lovelace@example.com")).toEqual(["personal"]);
});

test("every problem has words that say what to do", () => {
  expect(passwordProblemText({ code: "too_short", least: 15 })).toBe("use at least 15 characters");
  expect(passwordProblemText({ code: "run" })).toMatch(/^choose something other than/);
});
