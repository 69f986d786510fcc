export function packedManifest(source: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown>;
