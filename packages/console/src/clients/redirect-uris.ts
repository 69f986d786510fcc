import {
  type ClientType,
  checkRedirectUri,
  compareRedirectUris,
  type Environment,
  nearestAcceptable,
  readTestedUri,
  redirectUriExamples,
  type TestedUri,
  type UriComparison,
} from "@gatehouse/auth";
import { findPreviewFrame, findPreviewSlot } from "@gatehouse/db/stores/auth/preview-slots";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { matchesSlot } from "../previews/slot-uri.ts";
import { type ClientRow, findClientRow, listClientRows } from "./queries.ts";

type UriVerdict =
  | { ok: true; warning: string | null; examples: ReturnType<typeof redirectUriExamples> }
  | { ok: false; message: string; nearest: ReturnType<typeof nearestAcceptable> };

/**
 * Can this URI be registered? If so, what it will match and what it will not, and what to consider; if not, why, and
 * the nearest that can. CO-25.
 */
export function redirectUriVerdict(candidate: { uri: string; type: ClientType; environment: Environment }): UriVerdict {
  const check = checkRedirectUri(candidate);
  if (check.ok)
    return { ok: true, warning: check.warning ?? null, examples: redirectUriExamples(candidate.uri, candidate.type) };
  return { ok: false, message: check.message, nearest: nearestAcceptable(candidate) };
}

/**
 * Would `/authorize` accept this redirect URI for the client? Takes a URI, its percent-encoded form, or the address of
 * an authorization request, and asks the matcher of `/authorize`. `previewSlot`: the key of the slot that it matches.
 * Fetches nothing. Throws `not_found`. CO-26.
 */
export async function testRedirectUri(
  { clientId, pasted }: { clientId: string; pasted: string },
  { db, now }: Pick<OperationDeps, "db" | "now">,
): Promise<TestedUri & { comparison: UriComparison; previewSlot: string | null }> {
  const client = await findClientRow(db, clientId);
  if (!client) throw new DomainError("not_found", "There is no such client.");
  const rows = await listClientRows(db, client.applicationId);
  const others = rows.filter(({ id, name }) => id !== client.id && name === client.name);
  const tested = readTestedUri(pasted);
  const comparison = compareRedirectUris(tested.uri, client, others);
  const previewSlot = comparison.matched === null ? await matchingSlot(client, tested.uri, { db, now }) : null;
  if (previewSlot === null) return { ...tested, comparison, previewSlot };
  return { ...tested, comparison: { matched: tested.uri, nearest: null, differsAt: 0, differences: [] }, previewSlot };
}

/** The key of the live slot that `/authorize` accepts the URI by; null if there is none. CO-28. */
async function matchingSlot(
  { id: clientId, environment }: ClientRow,
  uri: string,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): Promise<string | null> {
  const frame = await findPreviewFrame(db, clientId);
  const slot = frame && (await findPreviewSlot(db, clientId, uri));
  return slot && matchesSlot(slot, { clientId, environment, frame }, uri, now()) ? slot.key : null;
}
