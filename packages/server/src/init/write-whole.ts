import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const NEW_FILE = 0o644;

/** Writes a file at once: an interruption leaves it as it was. Keeps its mode unless another one is given. */
export function writeWhole(file: string, content: string | Buffer, mode?: number): void {
  mkdirSync(dirname(file), { recursive: true });
  const target = existsSync(file) ? realpathSync(file) : file; // a link stays one
  const kept = existsSync(target) ? statSync(target).mode & 0o777 : NEW_FILE;
  const draft = `${target}.gatehouse-${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
  chmodSync(draft, mode ?? kept);
  renameSync(draft, target);
}
