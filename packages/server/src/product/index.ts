// In the bundles of the published package, in place of packages/product: that package is what a team adds to a clone,
// and its pages are examples. PK-16
import { type Policy, SCOPES } from "@gatehouse/auth";
import { MARK_PATH } from "@gatehouse/ui/mark";
import { defineHandlers } from "@gatehouse/work/handlers";

export const branding = { name: "Gatehouse", markPath: MARK_PATH } as const;
export const handlers = defineHandlers({});
export const migrations = [] as const;
export const schemas = { sqlite: {}, postgres: {} } as const;
export const productPolicies: Readonly<Record<string, Policy>> = {};
export const scopes = SCOPES;
