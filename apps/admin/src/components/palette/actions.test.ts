import { expect, test } from "vitest";
import { actionsFor } from "./actions.ts";

const NOTHING = {
  manageProduction: false,
  manageDevelopment: false,
  manageUsers: false,
  view: true,
  readMailbox: false,
};
const labels = (can: Partial<typeof NOTHING>) => actionsFor({ can: { ...NOTHING, ...can } }).map(({ label }) => label);

test("CO-02 CO-74 the palette offers only what the user may do", () => {
  expect(labels({})).toEqual([]);
  expect(labels({ manageDevelopment: true })).toEqual(["New application", "New webhook endpoint", "Send a test event"]);
  const admin = labels({ manageDevelopment: true, manageProduction: true, manageUsers: true });
  for (const label of ["New application", "Invite user", "Rotate signing key", "New API token"])
    expect(admin).toContain(label);
});
