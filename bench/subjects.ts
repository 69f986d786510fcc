import type { Subject } from "./subject.ts";
import { betterAuth } from "./subjects/better-auth.ts";
import { floor } from "./subjects/floor.ts";
import { gatehouse, gatehousePostgres } from "./subjects/gatehouse.ts";
import { nextNoop } from "./subjects/next-noop.ts";
import { oauth2Server } from "./subjects/oauth2-server.ts";
import { oidcProvider } from "./subjects/oidc-provider.ts";

/** The subjects, in the order of the report. */
export const SUBJECTS: readonly Subject[] = [
  gatehouse,
  gatehousePostgres,
  oidcProvider,
  betterAuth,
  oauth2Server,
  nextNoop,
  floor,
];
