import { type Deps, LIFETIME } from "@gatehouse/auth";

/** A form that waits until its user has confirmed who they are. SN-03. */
export type KeptForm = { path: string; fields: [name: string, value: string][] };

const PURPOSE = "form kept for confirmation";
/** Longer ones are not kept: the value travels in a URL. */
const MOST_CHARACTERS = 4096;

/** Seals a form for its user, without its CSRF token. Undefined if it is too long for a URL. `path` is local, with its query. */
export function keepForm(
  { path, form, userId }: { path: string; form: URLSearchParams; userId: string },
  deps: Pick<Deps, "seal" | "now">,
): string | undefined {
  const fields = [...form].filter(([name]) => name !== "csrf");
  const clear = JSON.stringify([userId, deps.now(), path, fields]);
  return clear.length > MOST_CHARACTERS ? undefined : deps.seal.seal(PURPOSE, clear);
}

/** Opens a value of {@link keepForm}; undefined when it is altered, of another user or older than 30 minutes. */
export function openKeptForm(sealed: string, userId: string, deps: Pick<Deps, "seal" | "now">): KeptForm | undefined {
  const clear = deps.seal.open(PURPOSE, sealed);
  if (clear === undefined) return undefined;
  const [owner, at, path, fields]: [string, number, string, KeptForm["fields"]] = JSON.parse(clear); // sealed by us, so it has this shape
  return owner === userId && deps.now() < at + LIFETIME.pendingRequestSeconds ? { path, fields } : undefined;
}
