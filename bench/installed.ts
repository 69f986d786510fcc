import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BENCH } from "./processes.ts";

/** The installed version of a package. */
export function installedVersion(name: string): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(BENCH, "node_modules", name, "package.json"), "utf8"),
  );
  return manifest.version;
}
