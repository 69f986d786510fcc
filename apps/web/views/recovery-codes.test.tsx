/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { SecondFactorsSection } from "./account/security/second-factors.tsx";
import { NewCodesPage } from "./sign-in/second-step.tsx";
import { frame } from "./testing/frame.ts";

test("MF-05 new codes can be copied, saved and printed where scripts run, by buttons that send nothing", () => {
  const html = renderToString(<NewCodesPage frame={frame()} csrf="c" fields={{}} codes={["AAAA-BBBB", "CCCC-DDDD"]} />);
  expect(html).toContain('<script src="/assets/pages.js" defer></script></head>');
  const [bar = ""] = /<div class="actions" hidden data-codes-actions[^>]*>.*?<\/div>/s.exec(html) ?? [];
  expect([...bar.matchAll(/<button[^>]*type="button" data-does="(\w+)"/g)].map(([, does]) => does)).toEqual([
    "copy",
    "download",
    "print",
  ]);
  expect(bar).not.toContain("AAAA");
});

test.each([
  [0, "You have no recovery codes."],
  [1, "1 unused code is left."],
  [7, "7 unused codes are left."],
])("MF-05 an account with %i unused codes reads: %s", (codes, words) => {
  const html = renderToString(
    <SecondFactorsSection frame={frame()} csrf="c" totp={undefined} codes={codes} takesCodes browsers={[]} now={0} />,
  );
  expect(html).toContain(words);
  expect(html).not.toContain("0 unused");
});
