import type { Context } from "../context.ts";
import { valuesOf } from "../refusal/required.ts";

/** A sign-in to begin. */
export type SignInOptions = {
  /** A path of this app, with its query, where the user returns to. */
  returnTo: string;
  /** The user has to have signed in at most this many seconds ago; 0 always asks for a new sign-in. */
  maxAge?: number | undefined;
  /** One of these levels of authentication. RFC 9470. */
  acr?: string | readonly string[] | undefined;
  /** Ask for credentials even if the user is signed in at Gatehouse, such as to change the account. */
  prompt?: "login" | undefined;
};

/** What a sign-in has to fulfil, as `protect` sealed it into the link. */
export type SignInDemand = { maxAge?: number; acr?: readonly string[]; prompt?: "login" };

const LINK_SECONDS = 1800;

/**
 * The path that signs in and returns to `returnTo`. A query that anybody can write could lower what is required, so that
 * it is sealed. PK-46.
 */
export async function signInPath(
  { returnTo, maxAge, acr: wanted, prompt }: SignInOptions,
  base: string,
  { jar, settings }: Context,
): Promise<string> {
  const acr = valuesOf(wanted);
  const demand: SignInDemand = {
    ...(maxAge !== undefined && { maxAge }),
    ...(acr.length > 0 && { acr }),
    ...(prompt !== undefined && { prompt }),
  };
  const query = new URLSearchParams({ return_to: returnTo });
  if (Object.keys(demand).length > 0)
    query.set("demand", await jar.demands.seal({ ...demand, until: settings.now() / 1000 + LINK_SECONDS }));
  return `${base}${settings.path}/sign-in?${query}`;
}

/** What a link demands; nothing for one that is expired or not ours, after which `protect` makes another. */
export async function openDemand(sealed: string | null, { jar, settings }: Context): Promise<SignInDemand> {
  if (sealed === null) return {};
  const opened = (await jar.demands.open(sealed)) as (SignInDemand & { until: number }) | undefined; // sealed by us
  return opened && settings.now() / 1000 < opened.until ? opened : {};
}
