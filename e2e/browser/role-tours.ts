import type { Page } from "@playwright/test";
import { adminUrl, expect } from "./stage.ts";

/** Buttons that change something. */
export const CHANGES = /^(?:Add|Approve|Block|Create|Delete|Disable|Invite|New|Remove|Retire|Rotate|Run)\b/;

/** What every role has in its navigation. */
const FOR_ALL = [
  "Overview",
  "Applications",
  "Self-registered",
  "API resources",
  "Failures",
  "Deliveries",
  "Audit log",
  "Users",
  "Sign-ins",
  "Webhook providers",
  "Signing keys",
  "Sign-in providers",
];

/** What each role has in its navigation besides, and the pages that it cannot open, with the role that they need. */
export const TOURS = [
  {
    role: "viewer",
    more: [],
    closed: { "/doctor": "Developer", "/mail": "Admin", "/settings/general": "Admin", "/status": "Admin" },
  },
  {
    role: "developer",
    more: ["Doctor"],
    closed: { "/mail": "Admin", "/settings/general": "Admin", "/status": "Admin" },
  },
  { role: "admin", more: ["Doctor", "Mail", "Settings", "Status"], closed: {} },
] as const;

type Tour = (typeof TOURS)[number];

export const labelsOf = ({ more }: Tour): string[] => [...FOR_ALL, ...more];

/** Every closed page answers 403, and the first one says which role it needs. */
export async function expectClosed(page: Page, { closed }: Tour): Promise<void> {
  for (const path of Object.keys(closed)) {
    const answer = await page.request.get(adminUrl + path);
    expect([path, answer.status()]).toEqual([path, 403]);
  }
  const [first] = Object.entries(closed);
  if (first === undefined) return;
  await page.goto(adminUrl + first[0]);
  await expect(page.getByRole("heading", { name: `This page needs the ${first[1]} role` })).toBeVisible();
}
