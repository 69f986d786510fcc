import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";

/** Folders that builds write to, and dependencies. */
const NOT_SOURCES = new Set(["node_modules", ".next", ".dev", "dist", "public"]);

/**
 * Calls `changed` when something below the folder is written, created or removed. Watches folders, since editors replace
 * files instead of writing to them.
 */
export function watchSources(root: string, changed: () => void): void {
  const watchers = new Map<string, FSWatcher>();

  function drop(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  function add(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name === null || NOT_SOURCES.has(name)) return;
        const path = join(folder, name);
        if (isFolder(path)) {
          drop(path); // it can be another one of the same name
          add(path);
        }
        changed();
      });
      watchers.set(
        folder,
        watcher.on("error", () => drop(folder)),
      );
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory() && !NOT_SOURCES.has(entry.name)) add(join(folder, entry.name));
    } catch {
      drop(folder); // removed meanwhile
    }
  }

  add(root);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
