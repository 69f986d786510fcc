import { describe, expect, test } from "vitest";
import { plainCode } from "./typed-code.ts";

describe("a code as people type it, MF-04 ML-02 DF-04", () => {
  test.each([
    ["as shown", "12345678"],
    ["with a space", " 1234 5678 "],
    ["with a dash", "1234-5678"],
    ["with a no-break space and an en dash", "1234\u00a05678\u2013"],
    ["with a minus sign", "1234\u22125678"],
    ["full-width, from a Japanese or Chinese keyboard", "１２３４　５６７８"],
    ["full-width, with the dash of that keyboard", "１２３４ー５６７８"],
    ["full-width, with a full-width dash", "１２３４－５６７８"],
    ["Arabic", "١٢٣٤٥٦٧٨"],
    ["Persian", "۱۲۳۴-۵۶۷۸"],
    ["Devanagari", "१२३४५६७८"],
    ["Bengali", "১২৩৪৫৬৭৮"],
    ["Thai", "๑๒๓๔๕๖๗๘"],
    ["copied from text of two directions", "\u202a12345678\u202c\u200f"],
  ])("%s", (_, typed) => {
    expect(plainCode(typed)).toBe("12345678");
  });

  test("full-width letters become ASCII; other characters stay, so that they match nothing", () => {
    expect(plainCode("ＢＣＤＦ－ｇｈｊｋ")).toBe("BCDFghjk");
    expect(plainCode("1234x678")).toBe("1234x678");
    expect(plainCode("᥆᥇᥈")).toBe("᥆᥇᥈");
    expect(plainCode("ſK²")).toBe("ſK²");
  });

  test("long text is no code", () => {
    expect(plainCode("1".repeat(201))).toBe("");
  });
});
