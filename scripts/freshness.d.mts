export type Part = { name: string; folder: string; scripts: readonly string[]; outputs: readonly string[] };

/** What is built. */
export const PARTS: readonly Part[];
export const COMMAND_LINE: Part;

/** True if neither the contents of the part's sources below `root` nor its outputs changed since `markBuilt`. */
export function isBuilt(root: string, part: Part): boolean;

/** A fingerprint of the sources of each part below `root`. Take it before the build. */
export function sourcesOf(root: string): Record<string, string>;

/** Records that the part below `root` was built from these sources. */
export function markBuilt(root: string, part: Part, sources: string | undefined): void;
