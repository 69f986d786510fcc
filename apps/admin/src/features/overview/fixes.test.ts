import { expect, test } from "vitest";
import { fixOf, headline, mayAct } from "./fixes.ts";

const NOTHING = {
  manageProduction: false,
  manageDevelopment: false,
  manageUsers: false,
  view: true,
  readMailbox: false,
};
const VIEWER = { can: NOTHING };
const DEVELOPER = { can: { ...NOTHING, manageDevelopment: true } };
const ADMIN = { can: { ...NOTHING, manageDevelopment: true, manageProduction: true, manageUsers: true } };
const [FOR_ADMIN, FOR_DEVELOPER] = [{ who: "admin" }, { who: "developer" }] as const;

test("CO-09 the first line counts every finding, and says whom it needs", () => {
  expect(headline([], VIEWER)).toBe("All well");
  expect(headline([FOR_ADMIN, FOR_DEVELOPER], ADMIN)).toBe("2 things need you");
  expect(headline([FOR_ADMIN, FOR_DEVELOPER], DEVELOPER)).toBe("1 thing needs you, 1 needs an admin");
  expect(headline([FOR_ADMIN], DEVELOPER)).toBe("1 thing needs an admin");
  expect(headline([FOR_ADMIN, FOR_DEVELOPER], VIEWER)).toBe("2 things need attention");
});

test("CO-02 nobody is told to do what only an admin may, and no link leads to a page that is closed to them", () => {
  expect([VIEWER, DEVELOPER, ADMIN].map((me) => mayAct({}, me))).toEqual([false, false, true]);
  for (const page of ["users", "mail", "api-tokens"] as const) {
    expect([page, fixOf({ page }, DEVELOPER), fixOf({ page }, VIEWER)]).toEqual([page, undefined, undefined]);
    expect(fixOf({ page }, ADMIN)).toBeDefined();
  }
  expect(fixOf({ page: "endpoint", slug: "stripe" }, VIEWER)).toEqual({
    href: "/webhooks/stripe",
    label: "Open provider",
  });
});
