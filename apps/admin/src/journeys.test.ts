import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

/** Where a journey needs no browser, or a million rows, its test has another place. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "flood-does-not-flush": "packages/console/src/failures/ledger.test.ts",
  "export-apply-export": "packages/console/src/manifest/export/export.test.ts",
  "export-a-million": "e2e/big/journeys.spec.ts",
  "hundredth-page": "e2e/big/journeys.spec.ts",
};

const JOURNEYS = [
  "first-five-minutes",
  "wizard-to-token",
  "near-miss-from-address-bar",
  "failure-to-fix",
  "failure-group-regresses",
  "flood-does-not-flush",
  "promote-with-conflict",
  "rotate-with-evidence",
  "retire-called-off",
  "impact-then-disable",
  "remove-and-restore",
  "try-code",
  "try-device",
  "try-service",
  "try-leaves-nothing",
  "slot-lives-and-ends",
  "live-tail-holds-place",
  "replay-asks-again",
  "provider-secret-overlap",
  "key-rotation-timeline",
  "block-a-host",
  "take-access-back",
  "audit-diff-and-verify",
  "audit-tamper-found",
  "export-apply-export",
  "drift",
  "api-token-limits",
  "palette-pastes-an-id",
  "keyboard-only-story",
  "saved-view",
  "bulk-disable-200",
  "export-a-million",
  "hundredth-page",
  "session-ends-mid-form",
  "other-person-signs-in",
  "offline",
  "role-tour",
  "two-admins-one-form",
  "phone-390",
];

test("CO-97 every journey through the console has a test of its name", () => {
  const folder = "e2e/browser";
  const specs = readdirSync(join(ROOT, folder)).filter((file) => file.endsWith(".spec.ts"));
  const testNames = (file: string) =>
    readFileSync(join(ROOT, file), "utf8").match(/^ *test\((?:"[^"]*"|`[^`]*`)/gm) ?? [];
  const inBrowser = specs.flatMap((file) => testNames(`${folder}/${file}`));
  const missing = JOURNEYS.filter((journey) => {
    const file = ELSEWHERE[journey];
    return !(file === undefined ? inBrowser : testNames(file)).some((name) =>
      new RegExp(`(?<![\\w-])${journey}: `).test(name),
    );
  });
  expect(missing).toEqual([]);
});
