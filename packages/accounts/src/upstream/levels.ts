import { type Acr, levelOf, strongerOf, withoutMarkers } from "@gatehouse/auth";
import { type SignInProvider, settingsOf } from "./provider.ts";

/**
 * The level of a sign-in at a provider: the strongest that an administrator maps its `acr` or one of its `amr` values
 * to. Null, and no `amr`, from a provider whose word about levels is not trusted. UP-13.
 */
export function trustedLevel(
  { acr, amr }: { acr: string | null; amr: readonly string[] },
  provider: Pick<SignInProvider, "settings">,
): { acr: Acr | null; amr: string[] } {
  const { trustAcr } = settingsOf(provider);
  const said = new Set([...(acr === null ? [] : [acr]), ...amr]);
  const levels = Object.entries<string>(trustAcr).flatMap(([value, level]) => {
    const known = said.has(value) ? levelOf(level) : undefined;
    return known === undefined ? [] : [known];
  });
  const [first, ...rest] = levels;
  return first === undefined
    ? { acr: null, amr: [] }
    : { acr: rest.reduce(strongerOf, first), amr: withoutMarkers(amr) };
}
