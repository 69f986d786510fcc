import { expect, test } from "vitest";
import { providerMark } from "./provider-marks.ts";

test("a mark stands beside its vendor's own name alone", () => {
  expect(providerMark({ preset: "google", name: "Google" })).toBeDefined();
  expect(providerMark({ preset: "google", name: "Work account" })).toBeUndefined();
  expect(providerMark({ preset: "oidc", name: "Google" })).toBeUndefined();
});

test.each(["Apple", "GitLab"])("%s does not allow its mark on a button, so its name stands alone", (name) => {
  expect(providerMark({ preset: name.toLowerCase(), name })).toBeUndefined();
});

test("the marks have the vendors' colors; GitHub's has that of the text", () => {
  const fills = (preset: string, name: string) => providerMark({ preset, name })?.paths.map(({ fill }) => fill);
  expect(fills("google", "Google")).toEqual(["#EA4335", "#4285F4", "#FBBC05", "#34A853"]);
  expect(fills("microsoft", "Microsoft")).toEqual(["#F25022", "#7FBA00", "#00A4EF", "#FFB900"]);
  expect(fills("github", "GitHub")).toEqual([undefined]);
});
