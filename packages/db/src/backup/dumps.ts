import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The end of a dump's name, and of the empty file beside one that was restored for a test. deploy/postgres/backup.sh */
const DUMP = ".dump";
const VERIFIED = ".dump.verified";

/** When the newest dump of PostgreSQL in a folder was completed, and one last restored for a test; Unix seconds. OP-53 */
export function newestDump(folder: string): { madeAt: number | null; verifiedAt: number | null } {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const newest = (ending: string) => {
    const times = names
      .filter((name) => name.endsWith(ending))
      .flatMap((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? []);
    return times.length === 0 ? null : Math.floor(Math.max(...times) / 1000);
  };
  return { madeAt: newest(DUMP), verifiedAt: newest(VERIFIED) };
}
