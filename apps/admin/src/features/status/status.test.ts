import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PAGES, runbookOf, SECTIONS } from "./next-steps.ts";
import { headline, worstFirst } from "./words.ts";

const ROOT = join(import.meta.dirname, "../../../../..");

const of = (...levels: ("ok" | "warning" | "failed")[]) => levels.map((level) => ({ level }));

describe("OP-79: the page Status", () => {
  test.each([
    ["All well", of("ok", "ok")],
    ["1 warning", of("ok", "warning")],
    ["2 failed", of("failed", "ok", "failed")],
    ["1 failed, 2 warnings", of("warning", "failed", "warning")],
  ])("answers %s", (answer, items) => {
    expect(headline(items)).toBe(answer);
  });

  test("begins with what is worst, and otherwise keeps the order", () => {
    const items = (["ok", "warning", "failed", "warning"] as const).map((level, at) => ({ level, at }));
    expect(worstFirst(items).map(({ at }) => at)).toEqual([2, 1, 3, 0]);
  });

  test("sends to the heading of the item's alert, or to another one that the runbook has", () => {
    expect(runbookOf({ name: "wal", alert: "GatehouseWalLong" })).toBe("docs/operations.md#gatehousewallong");
    expect(runbookOf({ name: "version", alert: null })).toBeUndefined();
    const headings = readFileSync(join(ROOT, "docs/operations.md"), "utf8").match(/^#+ .*$/gm) ?? [];
    const anchors = headings.map((line) => line.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"));
    expect(anchors).toEqual(expect.arrayContaining(Object.values(SECTIONS)));
  });

  test.each(Object.values(PAGES))("sends to $href, which the console has", ({ href }) => {
    const { pathname } = new URL(href, "http://console.test");
    expect(existsSync(join(ROOT, "apps/admin/src/app/(console)", pathname, "page.tsx"))).toBe(true);
  });
});
