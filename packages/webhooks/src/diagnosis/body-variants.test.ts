import { describe, expect, test } from "vitest";
import { bodyVariants } from "./body-variants.ts";
import { restyleJson } from "./json-text.ts";

const textsOf = (body: string | Uint8Array) =>
  bodyVariants(Buffer.from(body)).map(({ value }) => Buffer.from(value).toString());

describe("bodies that a sender may have signed", () => {
  test("numbers, the order of keys, repeated keys and text stay as they are", () => {
    const text = '{"b":1.0,"a":12345678901234567890,"b":1e3,"t":"a, b: {c} \\" [d]"}';
    const indented = restyleJson(text, { indent: "  ", comma: "", colon: " " });
    expect(indented).toBe('{\n  "b": 1.0,\n  "a": 12345678901234567890,\n  "b": 1e3,\n  "t": "a, b: {c} \\" [d]"\n}');
    expect(restyleJson(indented ?? "", { indent: null, comma: "", colon: "" })).toBe(text);
  });

  test("indentation is that of JSON.stringify, and Python's spaces are Python's", () => {
    const value = { a: [1, { b: [] }, {}], c: "d", e: null, f: [[true]] };
    const text = JSON.stringify(value);
    for (const indent of ["  ", "    ", "\t"]) {
      expect(restyleJson(text, { indent, comma: "", colon: " " })).toBe(JSON.stringify(value, null, indent));
    }
    const python = '{"a": [1, {"b": []}, {}], "c": "d", "e": null, "f": [[true]]}';
    expect(restyleJson(text, { indent: null, comma: " ", colon: " " })).toBe(python);
  });

  test("no variant is the body itself, and none is there twice", () => {
    for (const body of ["{}", '{"a":1}', "[]", "text", '{\r\n"a": "ü/"}', ""]) {
      const texts = textsOf(body);
      expect(texts).not.toContain(body);
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  test("deeply nested JSON costs no more than other JSON", () => {
    const nested = "[".repeat(2000) + "]".repeat(2000);
    const total = textsOf(nested).reduce((sum, { length }) => sum + length, 0);
    expect(total).toBeLessThan(100 * nested.length);
  });

  test("bytes that are no text are not changed by the way", () => {
    const bytes = new Uint8Array([0xff, 0x00, 0x0a, 0x80]);
    expect(bodyVariants(bytes).map(({ value }) => [...value])).toContainEqual([0xff, 0x00, 0x0d, 0x0a, 0x80]);
  });
});
