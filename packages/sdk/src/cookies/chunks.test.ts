import { describe, expect, test } from "vitest";
import { joinValue, MAX_COOKIE_BYTES, splitValue } from "./chunks.ts";

const NAME = "__Host-gatehouse_01234567_session";
const jar = (length: number, tag = "AAAAAAAA") => new Map(splitValue(NAME, "x".repeat(length), tag));

describe("PK-29 a session in several cookies", () => {
  test.each([1, 3700, 3800, 4000, 9000, 14_000])(
    "%i characters come back whole, in cookies that browsers keep",
    (length) => {
      const cookies = jar(length);
      expect(joinValue(NAME, cookies)).toBe("x".repeat(length));
      for (const [name, value] of cookies) expect(name.length + 1 + value.length).toBeLessThanOrEqual(MAX_COOKIE_BYTES);
    },
  );

  test("more than four cookies are refused", () => {
    expect(splitValue(NAME, "x".repeat(16_000), "AAAAAAAA")).toBeUndefined();
  });

  test("N88 a lost chunk, or one of another value, is no session", () => {
    for (const index of [0, 1, 2]) {
      const name = [...jar(9000).keys()][index] ?? "";
      const lost = jar(9000);
      lost.delete(name);
      expect(joinValue(NAME, lost)).toBeUndefined();
      const mixed = jar(9000);
      mixed.set(name, jar(9000, "BBBBBBBB").get(name) ?? "");
      expect(joinValue(NAME, mixed)).toBeUndefined();
    }
    const fewer = jar(9000);
    fewer.set(NAME, (fewer.get(NAME) ?? "").replace(/^3/, "2"));
    expect(joinValue(NAME, fewer)).toBeUndefined();
  });

  test("N88 of a hundred chunks only the counted ones are read", () => {
    const cookies = jar(9000);
    for (let index = 3; index < 100; index++) cookies.set(`${NAME}.${index}`, "9.AAAAAAAA.evil");
    expect(joinValue(NAME, cookies)).toBe("x".repeat(9000));
    cookies.set(NAME, (cookies.get(NAME) ?? "").replace(/^3/, "99"));
    expect(joinValue(NAME, cookies)).not.toBe("x".repeat(9000));
  });
});
