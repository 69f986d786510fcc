import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readVerifyingKey, verifyFile } from "./minisign.ts";
import { readComponents } from "./sbom.ts";

export const CHECKSUMS = "SHA256SUMS";
export const SIGNATURE = `${CHECKSUMS}.minisig`;
export const PUBLIC_KEY = "minisign.pub";
export const PROVENANCE = "provenance.intoto.json";

/** What every release holds, besides the packages. */
const HELD = (version: string) => [
  CHECKSUMS,
  SIGNATURE,
  PUBLIC_KEY,
  PROVENANCE,
  "NOTICE",
  "RELEASE-NOTES.md",
  `gatehouse-${version}.cdx.json`,
  `gatehouse-${version}.spdx.json`,
];

export const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** One line a file, as `sha256sum` writes and checks it. */
export function checksums(folder: string, files: readonly string[]): string {
  return files.map((file) => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`).join("");
}

/**
 * What is wrong with a release that was written into `folder`, as sentences: files that are missing, that the checksums
 * do not name or that differ from them, a signature of another key, and documents that contradict the rest. OP-98
 */
export function problemsOfRelease(folder: string, { version, packages }: { version: string; packages: string[] }) {
  const files = readdirSync(folder);
  const problems = [...HELD(version), ...packages]
    .filter((file) => !files.includes(file))
    .map((file) => `${file} is missing`);
  if (problems.length > 0) return problems;

  const listed = new Map(
    read(folder, CHECKSUMS)
      .toString()
      .trim()
      .split("\n")
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  );
  for (const file of files.filter((one) => one !== CHECKSUMS && one !== SIGNATURE)) {
    if (!listed.has(file)) problems.push(`${CHECKSUMS} does not name ${file}`);
    else if (listed.get(file) !== sha256(read(folder, file))) problems.push(`${file} is not what ${CHECKSUMS} says`);
  }
  for (const file of listed.keys())
    if (!files.includes(file)) problems.push(`${CHECKSUMS} names ${file}, which is not here`);
  try {
    verifyFile(
      read(folder, CHECKSUMS),
      read(folder, SIGNATURE).toString(),
      readVerifyingKey(read(folder, PUBLIC_KEY).toString()),
    );
  } catch (error) {
    problems.push(`${SIGNATURE}: ${error instanceof Error ? error.message : error}`);
  }
  return [...problems, ...problemsOfDocuments(folder, { version, packages })];
}

function problemsOfDocuments(folder: string, { version, packages }: { version: string; packages: string[] }): string[] {
  const problems: string[] = [];
  const statement = JSON.parse(read(folder, PROVENANCE).toString());
  const subjects = new Map(
    statement.subject.map(({ name, digest }: { name: string; digest: { sha256: string } }) => [name, digest.sha256]),
  );
  for (const name of packages)
    if (subjects.get(name) !== sha256(read(folder, name))) problems.push(`${PROVENANCE} is not about ${name}`);
  if (readComponents(join(folder, `gatehouse-${version}.cdx.json`)).length < 50)
    problems.push("the SBOM in CycloneDX names hardly any component");
  const spdx = JSON.parse(read(folder, `gatehouse-${version}.spdx.json`).toString());
  if (!String(spdx.spdxVersion).startsWith("SPDX-")) problems.push("the SBOM in SPDX is none");
  return problems;
}

const read = (folder: string, file: string) => readFileSync(join(folder, file));
