import type { ScopeTable } from "@gatehouse/auth";

/**
 * The product's scopes, beside Gatehouse's own. `description` completes "This will allow it to …" on the consent page;
 * `translations` has the same in other languages. A scope of kind `api` belongs to our own API: any client may be
 * registered for it, and a signed-in session has it.
 */
export const productScopes = {
  "subscriptions:read": { description: "see your subscriptions", kind: "api" },
  "notes:read": { description: "read your notes", kind: "api" },
  "notes:write": { description: "add and delete your notes", kind: "api" },
} as const satisfies ScopeTable;
