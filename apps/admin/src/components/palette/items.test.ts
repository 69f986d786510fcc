import { expect, test } from "vitest";
import { closestFirst, type Item, matching } from "./items.ts";

const item = (label: string): Item => ({ id: label, group: "Pages", label, href: "/" });
const ITEMS = ["Sign-in providers", "Webhook providers", "Users", "Deliveries"].map(item);
const labels = (text: string, limit = 10) => matching(ITEMS, text, limit).map(({ label }) => label);

test("CO-74 the palette finds items by any of their words, those that start with the text first", () => {
  expect(labels("prov web")).toEqual(["Webhook providers"]);
  expect(labels("DELIV")).toEqual(["Deliveries"]);
  expect(labels("s")).toEqual(["Sign-in providers", "Webhook providers", "Users", "Deliveries"]);
  expect(labels("u")).toEqual(["Users"]);
  expect(labels("zz")).toEqual([]);
});

test("CO-74 the palette puts the label that is the text first, then those that start with it", () => {
  const found = closestFirst(["A web shop", "Web", "Shop web", "Shop", "Shopping"].map(item), "shop");
  expect(found.map(({ label }) => label)).toEqual(["Shop", "Shop web", "Shopping", "A web shop", "Web"]);
});

test("CO-74 the palette shows everything for an empty text, up to its limit", () => {
  expect(labels("  ", 2)).toEqual(["Sign-in providers", "Webhook providers"]);
});
