// What a team adds to its clone, as the servers and the command line read it. The routers are in
// `@gatehouse/product/router`.

import type { MigrationSource } from "@gatehouse/db/migrations/read";
import * as postgres from "./schema/postgres.ts";
import * as sqlite from "./schema/sqlite.ts";

export { branding } from "./branding.ts";
export { handlers } from "./handlers.ts";
export { productPolicies } from "./policies.ts";
export { scopes } from "./scopes-in-force.ts";

/** The migrations of the product's tables. */
export const migrations: readonly MigrationSource[] = [
  { folder: "packages/product/migrations", ledger: "product_migrations" },
];

/** The product's tables, which `gatehouse move` moves as well. */
export const schemas = { sqlite, postgres };
