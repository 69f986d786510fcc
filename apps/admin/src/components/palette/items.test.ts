import { expect, test } from "vitest";
import { ACTIONS, closestFirst, EXACT, type Item, matching, once } from "./items.ts";

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

test("CO-74 the palette finds items by their other names, after those whose label has the text", () => {
  const items = [
    { ...item("Failures"), names: "logs errors" },
    item("Audit log"),
    { ...item("Users"), names: "members" },
  ];
  expect(matching(items, "log", 10).map(({ label }) => label)).toEqual(["Audit log", "Failures"]);
  expect(matching(items, "MEMB", 10).map(({ label }) => label)).toEqual(["Users"]);
});

test("CO-74 the palette lists each object once, and keeps what a pasted id names rather than a recent page", () => {
  const to = (group: string, href: string): Item => ({ id: `${group} ${href}`, group, label: href, href });
  const found = [
    to("Recent", "/applications/1"),
    to("Recent", "/users/2"),
    to("Pages", "/deliveries?environment=all"),
    to(EXACT, "/applications/1?client=Main&environment=production"),
    to(EXACT, "/deliveries?eventId=evt_1&environment=all"),
    to("Applications", "/applications/1"),
    to("Users", "/users/2"),
    to(ACTIONS, "/users/2"),
    { id: "here", group: "On this page", label: "Export", run: () => undefined },
  ];
  expect(once(found).map(({ id }) => id)).toEqual([
    "Recent /users/2",
    "Pages /deliveries?environment=all",
    `${EXACT} /applications/1?client=Main&environment=production`,
    `${EXACT} /deliveries?eventId=evt_1&environment=all`,
    `${ACTIONS} /users/2`,
    "here",
  ]);
});
