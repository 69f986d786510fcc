import type { Adapter } from "./providers/adapter.ts";

/** The body of a sample event with this id. Undefined if the adapter has no sample of the type. */
export function sampleBody({ samples }: Pick<Adapter, "samples">, type: string, id: string): Uint8Array | undefined {
  if (!Object.hasOwn(samples, type)) return undefined;
  const payload = samples[type];
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return new TextEncoder().encode(text.replaceAll("{id}", id));
}
