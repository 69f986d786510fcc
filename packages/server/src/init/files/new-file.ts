import type { Seen } from "../seen.ts";

/** A file of the product. `instead`: the path of a file that does the same; beside it, this one is not written. */
export type NewFile = { path: string; text: string; instead?: string };

/** What a module in `folder` (below the source folder) imports another one of the source folder by. */
export function importOf({ alias }: Pick<Seen, "source" | "alias">, module: string, folder: string): string {
  if (alias !== undefined) return `${alias}${module}`;
  const up = folder
    .split("/")
    .filter(Boolean)
    .map(() => "..");
  return up.length === 0 ? `./${module}` : `${up.join("/")}/${module}`;
}
