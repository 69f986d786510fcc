// npm run release: writes all that a release holds into dist/release, and checks it. docs/releasing.md. OP-98
// `-- --dry-run`: also from a tree with changes or without a tag, signed with a key that is thrown away.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILDS, pack } from "./pack/pack.mjs";
import { CHECKSUMS, checksums, PROVENANCE, PUBLIC_KEY, problemsOfRelease, SIGNATURE, sha256 } from "./release/check.ts";
import { unexplained } from "./release/contents.ts";
import { imageHindrance, makeImageLayout, problemsOfLayout } from "./release/image.ts";
import {
  newSigningKey,
  readSigningKey,
  type SigningKey,
  signFile,
  verifyingKeyFile,
  verifyingKeyOf,
} from "./release/minisign.ts";
import { changelogSection, LOG_FORMAT, readCommits, releaseNotes } from "./release/notes.ts";
import { type Build, provenanceOf } from "./release/provenance.ts";
import { readComponents, writeSbom } from "./release/sbom.ts";
import { build, fail, ROOT } from "./steps.mjs";

const TO = join(ROOT, "dist/release");
const WORK = join(TO, "work");
const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();

const isDryRun = process.argv.includes("--dry-run");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const startedAt = new Date();

await main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));

async function main(): Promise<void> {
  if (!isDryRun) requireTag();
  const key = signingKey();
  await rm(TO, { recursive: true, force: true });
  await mkdir(WORK, { recursive: true });
  await build();

  const packages: string[] = [];
  for (const name of Object.keys(BUILDS)) packages.push(await packInto(name));
  const [cyclonedx, spdx] = [`gatehouse-${version}.cdx.json`, `gatehouse-${version}.spdx.json`];
  await writeSbom("cyclonedx", join(TO, cyclonedx));
  await writeSbom("spdx", join(TO, spdx));
  const strangers = unexplained(join(WORK, "server"), readComponents(join(TO, cyclonedx)));
  const ofImage = isDryRun ? await tryImage() : [];
  await writeFile(join(TO, "NOTICE"), await notice());
  await writeFile(join(TO, "RELEASE-NOTES.md"), notes());
  await rm(WORK, { recursive: true });

  const subjects = (await readdir(TO)).map((name) => ({ name, sha256: hashOf(join(TO, name)) }));
  await writeFile(join(TO, PROVENANCE), `${JSON.stringify(provenanceOf(subjects, whence()), null, 2)}\n`);
  await writeFile(join(TO, PUBLIC_KEY), verifyingKeyFile(verifyingKeyOf(key)));
  const sums = checksums(TO, (await readdir(TO)).toSorted());
  await writeFile(join(TO, CHECKSUMS), sums);
  await writeFile(
    join(TO, SIGNATURE),
    signFile(Buffer.from(sums), `Gatehouse ${version}, ${git("rev-parse", "HEAD")}`, key),
  );

  const problems = [...strangers, ...ofImage, ...problemsOfRelease(TO, { version, packages })];
  if (problems.length > 0) throw new Error(`The release ${version} is not whole:\n${problems.join("\n")}`);
  console.log(`› dist/release has ${version}: ${(await readdir(TO)).toSorted().join(", ")}`);
  if (isDryRun) console.log("› This was a dry run: the key that signed it is gone.");
}

/**
 * The workflow builds and pushes the image with its own tools; a dry run builds the same Dockerfile without a daemon.
 * Returns what is wrong with it.
 */
async function tryImage(): Promise<string[]> {
  const hindrance = imageHindrance();
  if (hindrance !== undefined) {
    console.log(`› Without the image: ${hindrance}. The workflow builds it.`);
    return [];
  }
  console.log("› Building the image");
  const file = join(TO, `gatehouse-${version}.oci.tar`);
  const work = await mkdtemp(join(tmpdir(), "gatehouse-image-"));
  try {
    makeImageLayout(file, work);
    return await problemsOfLayout(file, version, join(work, "layout"));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** A release is made from the tagged commit, and from nothing else. */
function requireTag(): void {
  if (git("status", "--porcelain") !== "") throw new Error("The tree has changes: commit them, or use --dry-run.");
  if (!git("tag", "--points-at", "HEAD").split("\n").includes(`v${version}`))
    throw new Error(`This commit has no tag v${version}: tag it, or use --dry-run.`);
}

/** RELEASE_SIGNING_KEY, which must be the one whose public part is in the repository. */
function signingKey(): SigningKey {
  if (isDryRun) return newSigningKey();
  const { RELEASE_SIGNING_KEY: given } = process.env;
  delete process.env["RELEASE_SIGNING_KEY"]; // no program that this one starts needs it
  if (!given) throw new Error("RELEASE_SIGNING_KEY is not set: it has the secret key of minisign, as text.");
  const key = readSigningKey(given);
  const published = join(ROOT, PUBLIC_KEY);
  if (
    !existsSync(published) ||
    readFileSync(published, "utf8").split("\n")[1] !== verifyingKeyFile(verifyingKeyOf(key)).split("\n")[1]
  )
    throw new Error(`RELEASE_SIGNING_KEY is not the key of ${PUBLIC_KEY} in the repository.`);
  return key;
}

async function packInto(name: string): Promise<string> {
  const { tarball } = await pack(name, { to: WORK });
  const file = tarball.slice(WORK.length + 1);
  await rename(tarball, join(TO, file));
  return file;
}

/** Our license, and those of everything that the packages contain. */
async function notice(): Promise<string> {
  const ours = readFileSync(join(ROOT, "LICENSE"), "utf8").trim();
  const theirs = readFileSync(join(WORK, "server/THIRD-PARTY-LICENSES.txt"), "utf8").trim();
  const line = "-".repeat(80);
  return `Gatehouse ${version}\n\n${ours}\n\n${line}\n\nIt contains:\n\n${line}\n\n${theirs}\n`;
}

/** Before the first release there is nobody who upgrades, and its notes are the changelog. */
function notes(): string {
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  const section = changelogSection(changelog, version) ?? changelogSection(changelog, "Unreleased");
  const last = lastTag();
  const log = last === undefined ? "" : git("log", "--no-merges", `--format=${LOG_FORMAT}`, `${last}..HEAD`);
  return releaseNotes(version, section, readCommits(log));
}

function lastTag(): string | undefined {
  const tags = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname").split("\n");
  return tags.find((tag) => tag !== "" && tag !== `v${version}`);
}

function whence(): Build {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_WORKFLOW_REF, GITHUB_RUN_ID, GITHUB_REF } = process.env;
  const source = GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : "https://localhost/gatehouse";
  return {
    version,
    source,
    ref: GITHUB_REF ?? `refs/tags/v${version}`,
    commit: git("rev-parse", "HEAD"),
    lockHash: hashOf(join(ROOT, "pnpm-lock.yaml")),
    builder: GITHUB_WORKFLOW_REF ? `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}` : `${source}#local`,
    run: GITHUB_RUN_ID ? `${source}/actions/runs/${GITHUB_RUN_ID}` : "local",
    node: process.version,
    startedAt,
    finishedAt: new Date(),
  };
}

function hashOf(file: string): string {
  return sha256(readFileSync(file));
}
