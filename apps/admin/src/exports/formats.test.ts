import { expect, test } from "vitest";
import { csv, JSON_LINES } from "./formats.ts";

const format = csv<{ name: string; email?: string; verified?: boolean }>(["name", "email", "verified"]);

test("UM-08 a line of CSV has the columns of its head, quoted where needed", () => {
  expect(format.head).toBe("name,email,verified\r\n");
  expect(format.line({ name: 'Ada "the first", Countess', email: "ada@example.com", verified: true })).toBe(
    '"Ada ""the first"", Countess",ada@example.com,true\r\n',
  );
  expect(format.line({ name: "عبد الرحمن" })).toBe("عبد الرحمن,,\r\n");
});

test.each(["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])(
  "UM-08 a name like %j is text in a spreadsheet",
  (name) => {
    expect(format.line({ name })).toMatch(/^"?'/);
  },
);

test("a line of JSON Lines is one object", () => {
  expect(JSON_LINES.line({ name: "a\nb" })).toBe('{"name":"a\\nb"}\n');
});
