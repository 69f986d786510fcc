import type { ClientView } from "@/trpc/types.ts";
import { type Field, fieldsFor, type Path, type Place, valueAt } from "../settings/field.ts";
import { SECTIONS } from "../settings/sections.ts";

/** What each environment has for itself: addresses and keys. Promotion leaves them alone. */
const BY_DESIGN: readonly Path[] = [
  "redirectUris",
  "postLogoutRedirectUris",
  "options.jwks",
  "options.jwksUri",
  "options.backchannelLogoutUri",
];

export type Comparison = { differing: Field[]; same: Field[]; byDesign: Field[] };

export const placeOf = ({ type, environment, ...settings }: ClientView): Place => ({ type, environment, settings });

/**
 * The fields of one client's registrations: those that should be equal and are not, those that are, and those that
 * differ by design. CO-23.
 */
export function compareClients(clients: readonly ClientView[]): Comparison {
  const drawn = SECTIONS.flatMap((section) => {
    const paths = new Set(clients.flatMap((client) => fieldsFor(section, placeOf(client)).map(({ path }) => path)));
    return section.fields.filter(({ path }) => paths.has(path));
  });
  const isSame = (field: Field) => new Set(clients.map((client) => keyOf(client, field))).size <= 1;
  const shared = drawn.filter(({ path }) => !BY_DESIGN.includes(path));
  return {
    differing: shared.filter((field) => !isSame(field)),
    same: shared.filter(isSame),
    byDesign: drawn.filter(({ path }) => BY_DESIGN.includes(path)),
  };
}

/** The order of a list means nothing. */
function keyOf(client: ClientView, { path }: Field): string {
  const value = valueAt(client, path);
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null));
}
