import type { Policy } from "@gatehouse/auth";

/** The product's routes and pages, by their folder in apps/web/app, and what each requires of its caller. */
export const productPolicies = {
  "/subscriptions": { requires: "signed_in", kind: "react" },
  "/notes": { requires: "signed_in", kind: "react" },
} as const satisfies Record<string, Policy>;
