import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SPECS = join(import.meta.dirname, "../../../e2e/browser");
const specs = readdirSync(SPECS).filter((file) => file.endsWith(".ts"));
const text = specs.map((file) => readFileSync(join(SPECS, file), "utf8")).join("\n");

// The names by which others find the console's controls. Renaming one is a breaking change: these tests and a browser
// test fail.
const BUTTONS = [
  "New application",
  "Continue",
  "Create",
  "Save",
  "Promote",
  "Compare",
  "Add secret",
  "Retire",
  "Run",
  "Remove",
  "Restore",
  "Export",
  "Verify",
  "Rotate",
  "Revoke",
  "Sign out everywhere",
  "Search",
  "Live",
  "Undo",
];
const FIELDS = [
  "Environment",
  "Name",
  "Redirect URI",
  "Redirect URI 2",
  "Test a redirect URI",
  "Search applications",
  "Search users",
  "Error id",
  "Client",
  "Cause",
  "From",
  "To",
];
const TEST_IDS = ["client-id", "client-secret", "error-id", "verdict", "diff", "impact", "trace-step", "chain-state"];

const finds = (pattern: string) => new RegExp(pattern).test(text);

test.each(BUTTONS)("CO-96 a browser test presses the button %s", (name) => {
  expect(finds(`name: ["\`]${name}["\` ]`)).toBe(true);
});

test.each(FIELDS)("CO-96 a browser test fills in the field %s", (label) => {
  expect(finds(`getByLabel\\("${label}"|getByRole\\("(textbox|combobox|searchbox|list)", \\{ name: "${label}"`)).toBe(
    true,
  );
});

test("CO-96 a browser test types a name to confirm", () => {
  expect(finds('getByLabel\\(["`]Type .+ to confirm')).toBe(true);
});

test.each(TEST_IDS)("CO-96 a browser test finds %s", (id) => {
  expect(finds(`getByTestId\\("${id}"\\)`)).toBe(true);
});
