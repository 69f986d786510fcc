/** A packed package. Sizes are in bytes. */
export type Packed = { folder: string; tarball: string; size: number; unpackedSize: number };
export const BUILDS: Record<string, (folder: string) => Promise<void>>;
export function pack(name: string, options?: { to?: string; scope?: string }): Promise<Packed>;
export function applyScope(folder: string, scope: string): Promise<void>;
