import { fieldWords } from "@/features/audit/words.ts";
import type { Path, Section } from "./field.ts";
import { ACCESS } from "./sections/access.tsx";
import { AUTHENTICATION } from "./sections/authentication.ts";
import { REDIRECTS } from "./sections/redirects.tsx";
import { REQUESTS } from "./sections/requests.ts";
import { SIGN_IN } from "./sections/sign-in.ts";
import { SIGN_OUT } from "./sections/sign-out.ts";
import { TOKENS } from "./sections/tokens.ts";

/** Everything that can be set of a client, in the order of the page. A new option is one line in its section. */
export const SECTIONS: readonly Section[] = [REDIRECTS, ACCESS, SIGN_IN, AUTHENTICATION, REQUESTS, TOKENS, SIGN_OUT];

const LABELS: ReadonlyMap<string, string> = new Map(
  SECTIONS.flatMap(({ fields }) => fields.map(({ path, label }) => [path, label])),
);

/** A setting by its path, as the form calls it: `options.dpop` as "Require DPoP". */
export const labelOfPath = (path: string): string => LABELS.get(path) ?? fieldWords(path);

const OF_SELF_REGISTRATION =
  "is metadata that a client sends when it registers itself; applications have branding instead";

/** Options without a field, and why. */
export const WITHOUT_FIELD = {
  "options.clientName": OF_SELF_REGISTRATION,
  "options.applicationType": OF_SELF_REGISTRATION,
  "options.secretMethod": OF_SELF_REGISTRATION,
  "options.clientUri": OF_SELF_REGISTRATION,
  "options.logoUri": OF_SELF_REGISTRATION,
  "options.policyUri": OF_SELF_REGISTRATION,
  "options.tosUri": OF_SELF_REGISTRATION,
  "options.contacts": OF_SELF_REGISTRATION,
  "options.softwareId": OF_SELF_REGISTRATION,
  "options.softwareVersion": OF_SELF_REGISTRATION,
} as const satisfies Partial<Record<Path, string>>;
