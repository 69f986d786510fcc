import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { delimiter, join } from "node:path";
import type { Figure, OpsResult } from "../../scripts/ops/table.d.mts";
import { ROOT } from "../harness/gatehouse.ts";

/** `npm run ops` runs the long form of a test; everything else the short one. */
export const LONG = process.env["OPS_FORM"] === "long";

/** What a test measured, written to `dist/ops/<id>.json` after each figure, so that a test that fails has them too. */
export function openFigures(id: string) {
  const file = join(ROOT, "dist/ops", `${id}.json`);
  const [cpu] = cpus();
  const result = {
    id,
    form: LONG ? "long" : "short",
    at: new Date().toISOString(),
    machine: `${cpus().length} × ${cpu?.model ?? "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
    figures: [] as Figure[],
    skipped: [] as string[],
  } satisfies OpsResult;
  const write = () => {
    mkdirSync(join(ROOT, "dist/ops"), { recursive: true });
    writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
  };
  return {
    add(figure: Figure): void {
      result.figures.push(figure);
      write();
    },
    skip(reason: string): void {
      result.skipped.push(reason);
      write();
      process.stdout.write(`${id}: skipped, ${reason}\n`);
    },
  };
}

export type Figures = ReturnType<typeof openFigures>;

/** Prints what the test does now: the long forms take minutes. */
export function progress(id: string, what: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${id} ${what}\n`);
}

const FOLDERS = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];

/** The path of an installed program, also of those that only root has in its PATH. */
function programPath(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find(existsSync);
}

/** The path of an installed program. Throws if it is missing: tests ask {@link missingPackages} first. */
export function program(name: string): string {
  const path = programPath(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}

/** The Debian packages whose programs are missing here. */
export function missingPackages(programs: Record<string, string>): string[] {
  return Object.entries(programs)
    .filter(([name]) => programPath(name) === undefined)
    .map(([, debianPackage]) => debianPackage);
}

const LIBRARIES = [`/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`, "/usr/lib"];

/** The path of an installed library. */
export function libraryPath(name: string): string | undefined {
  return LIBRARIES.map((folder) => join(folder, name)).find(existsSync);
}
