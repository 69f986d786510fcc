import type { AdapterSettings } from "./endpoint.ts";
import type { Adapter } from "./providers/adapter.ts";

/**
 * Makes a new signing secret in a form that the adapter accepts, to sign deliveries for a receiver on the same machine.
 * In: a source of random bytes. Returns undefined if the scheme has no shared secret.
 */
export function mintLocalSecret(
  { keysOf }: Pick<Adapter, "keysOf">,
  random: (length: number) => Uint8Array,
  settings: AdapterSettings = {},
): string | undefined {
  const bytes = Buffer.from(random(24));
  const forms = [`whsec_${bytes.toString("base64")}`, bytes.toString("hex"), `local|${bytes.toString("hex")}`];
  return forms.find((form) => keysOf(form, settings).length > 0);
}
