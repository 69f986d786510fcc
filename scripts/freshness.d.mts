/** Whether nothing changed below `root` since `markBuilt`: neither a source, by its content, nor what was built from them. */
export function isBuilt(root: string): boolean;

/** A fingerprint of the sources below `root`, to be taken before a build. */
export function sourcesOf(root: string): string;

/** Records that what is built below `root` was built from these sources. */
export function markBuilt(root: string, sources: string): void;
