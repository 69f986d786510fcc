import { expect, test } from "vitest";
import { PAGE_SIZES, pageSizeFrom } from "./page-size.ts";

test("CO-84 a list loads 25, 50 or 100 rows at a time, and 50 for any other value", () => {
  expect(PAGE_SIZES.map((size) => pageSizeFrom(String(size)))).toEqual([25, 50, 100]);
  for (const limit of [null, undefined, "", "0", "1000000", "25.0", "constructor"])
    expect(pageSizeFrom(limit)).toBe(50);
});
