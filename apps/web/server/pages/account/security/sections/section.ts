import type { ActiveSession } from "@gatehouse/auth";
import type { ComponentChildren } from "preact";
import type { Visit } from "../../../../routing/visit.ts";

/** Loads one section of /account/security: a card, or null where the way to sign in does not exist here. */
export type SecuritySection = (visit: Visit<ActiveSession>, csrf: string) => Promise<ComponentChildren>;
