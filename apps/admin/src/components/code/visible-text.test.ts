import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test.each([
  ["invoice\u202egpj.exe", "invoice\\u{202e}gpj.exe"],
  ["a\u0000b\u001b[31m\u007f", "a\\u{0}b\\u{1b}[31m\\u{7f}"],
  ["\ufeffzero\u200bwidth\u2066", "\\u{feff}zero\\u{200b}width\\u{2066}"],
  ["line\r\nnext\ttab", "line\\u{d}\nnext\ttab"],
  ["Grüße, 北京, 👍, שלום", "Grüße, 北京, 👍, שלום"],
])("CO-50 shows what is hidden in %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
