import { type ActiveSession, type Deps, LIFETIME } from "@gatehouse/auth";
import { hasSameEpochs } from "../gate/epochs.ts";

/** A form that waits until its user has confirmed who they are. SN-03. */
export type KeptForm = { path: string; fields: [name: string, value: string][] };

type Sealed = KeptForm & { sessionId: string; accessEpoch: number; signInEpoch: number; at: number };

const PURPOSE = "form kept for confirmation";
/** Longer ones are not kept: the value travels in a URL. */
const MOST_CHARACTERS = 4096;

/**
 * Seals a form for the session that sent it, without its CSRF token. Undefined if it is too long for a URL. `path` is
 * local, with its query. The session's public id outlives the change of its secret that a confirmation brings.
 */
export function keepForm(
  { path, form, session: { session, user } }: { path: string; form: URLSearchParams; session: ActiveSession },
  deps: Pick<Deps, "seal" | "now">,
): string | undefined {
  const fields = [...form].filter(([name]) => name !== "csrf");
  const { accessEpoch, signInEpoch } = user;
  const kept: Sealed = { path, fields, sessionId: session.id, accessEpoch, signInEpoch, at: deps.now() };
  const clear = JSON.stringify(kept);
  return clear.length > MOST_CHARACTERS ? undefined : deps.seal.seal(PURPOSE, clear);
}

/**
 * Opens a value of {@link keepForm}. Undefined when it is altered or older than 30 minutes, in another session, even of
 * the same user, who may not be the one who filled it in, and after a change of the account that raised an epoch.
 * SN-03.
 */
export function openKeptForm(
  sealed: string,
  { session, user }: ActiveSession,
  deps: Pick<Deps, "seal" | "now">,
): KeptForm | undefined {
  const clear = deps.seal.open(PURPOSE, sealed);
  if (clear === undefined) return undefined;
  const { path, fields, ...kept }: Sealed = JSON.parse(clear); // sealed by us, so it has this shape
  const isOfSession = kept.sessionId === session.id && hasSameEpochs(kept, user);
  return isOfSession && deps.now() < kept.at + LIFETIME.pendingRequestSeconds ? { path, fields } : undefined;
}
