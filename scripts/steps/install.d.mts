import type { Progress } from "./progress.mjs";

export type Level = "run" | "examples" | "all";

/** Installs the dependencies of a level, if the lock file or a manifest changed or only a lower level is installed. */
export function install(level?: Level, progress?: Progress): Promise<void>;
export function isInstalled(level: Level): boolean;

/** The levels that have everything of this one. */
export function levelsFrom(level: Level): Level[];
