import { expect, test } from "vitest";
import { parseForm } from "./form.ts";

const PIECES = [
  "a",
  "b=",
  "=",
  "&",
  "&&",
  "+",
  "%20",
  "%2B",
  "%26",
  "%3D",
  "%25",
  "%C3%A9",
  "é",
  "%EF%BB%BF",
  "?",
  "#",
  ";",
  "\0",
  "%00",
  "😀",
  "%F0%9F%98%80",
];

/** Every text of up to three pieces, and some longer ones. */
function* texts(): Generator<string> {
  for (const a of ["", ...PIECES]) for (const b of ["", ...PIECES]) for (const c of PIECES) yield a + b + c;
  for (let seed = 1; seed < 2000; seed++) {
    let text = "";
    for (let rest = (seed * 2_654_435_761) >>> 0; rest > 0; rest = Math.floor(rest / PIECES.length))
      text += PIECES[rest % PIECES.length];
    yield text;
  }
}

test("TK-04 a form is read as URLSearchParams reads it", () => {
  const differs = (text: string) => JSON.stringify(parseForm(text)) !== JSON.stringify([...new URLSearchParams(text)]);
  expect([...texts()].filter(differs)).toEqual([]);
});

test.each(["a=%", "a=%2", "a=%zz", "%=a", "a=%ff", "a=%C3", "a=%C3&b=%A9", "a=%C3+%A9", "a=%ED%A0%80", "a=%C0%80"])(
  "TK-04 %s is malformed, not other text",
  (text) => {
    expect(parseForm(text)).toBeUndefined();
  },
);
