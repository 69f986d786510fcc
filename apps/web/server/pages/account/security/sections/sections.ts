import { identitiesSection } from "./identities.tsx";
import { passkeysSection } from "./passkeys.tsx";
import { passwordSection } from "./password.ts";
import { secondFactorsSection } from "./second-factors.tsx";
import type { SecuritySection } from "./section.ts";

/** The sections in the order of the page. A new way to sign in adds a line. */
export const SECURITY_SECTIONS: readonly SecuritySection[] = [
  passwordSection,
  passkeysSection,
  secondFactorsSection,
  identitiesSection,
];
