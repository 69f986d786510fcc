import type { ActiveSession } from "@gatehouse/auth";
import type { ComponentChildren } from "preact";
import type { Visit } from "../../../../routing/route.ts";
import { identitiesSection } from "./identities.tsx";
import { passkeysSection } from "./passkeys.tsx";
import { passwordSection } from "./password.ts";
import { secondFactorsSection } from "./second-factors.tsx";

/** Loads one section of /account/security: a card, or null where the way to sign in does not exist here. */
export type SecuritySection = (visit: Visit<ActiveSession>, csrf: string) => Promise<ComponentChildren>;

/** The sections in the order of the page. A new way to sign in adds a line. */
export const SECURITY_SECTIONS: readonly SecuritySection[] = [passwordSection, passkeysSection, secondFactorsSection, identitiesSection];
