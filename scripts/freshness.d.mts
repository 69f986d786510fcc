/** True if neither the contents of the sources below `root` nor the outputs changed since `markBuilt`. */
export function isBuilt(root: string): boolean;

/** A fingerprint of the sources below `root`. Take it before the build. */
export function sourcesOf(root: string): string;

/** Records that the build below `root` was made from these sources. */
export function markBuilt(root: string, sources: string): void;
