import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../packages/installation/src/version.ts";
import { CHECKSUMS, checksums, PROVENANCE, PUBLIC_KEY, problemsOfRelease, SIGNATURE, sha256 } from "./check.ts";
import { unexplained } from "./contents.ts";
import { problemsOfLayout } from "./image.ts";
import {
  newSigningKey,
  readSigningKey,
  readVerifyingKey,
  signFile,
  verifyFile,
  verifyingKeyFile,
  verifyingKeyOf,
} from "./minisign.ts";
import { changelogSection, readCommits, releaseNotes } from "./notes.ts";
import { provenanceOf } from "./provenance.ts";
import { readComponents, writeSbom } from "./sbom.ts";

const ROOT = join(import.meta.dirname, "../..");

let work: string;
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "gatehouse-release-"));
});
afterAll(() => rm(work, { recursive: true, force: true }));

describe("signatures", () => {
  /** A key that signs nothing, and a signature of "a release", made by minisign 0.11 (`-G -W`, `-S`). */
  const SECRET =
    "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADRuslnFpVdFwFhPAuTy6ZmnMGwlHXZd8fE94eO4PvQq+cDNtCg5kmmfC2qJr0CfRYnzA9STNGuW+pD8WZFbxtrfO9NFzAx3fAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  const PUBLIC = "RWQNG6yWcWlV0WfC2qJr0CfRYnzA9STNGuW+pD8WZFbxtrfO9NFzAx3f";
  const OF_MINISIGN = [
    "untrusted comment: signature of the tool",
    "RUQNG6yWcWlV0fp5ygF5yKt/6T2ctID7P1Y1jORPGWCGFa2wLah0B3raKc3TeQBZQYgEq/tMdih4upbD2gIza7nmI2f+epySeAg=",
    "trusted comment: made by minisign",
    "BYF8IT6H9Ot2a3Ec11KKXqLjGyNLAAejPYXtKR0pgbunY6eWgPafeHhcKL5XKJ1eVxup1Ft1sCeYXGN0MXE1BQ==\n",
  ].join("\n");

  test("OP-98 they are minisign's: the same key, both ways", () => {
    const content = Buffer.from("a release");
    expect(() => verifyFile(content, OF_MINISIGN, readVerifyingKey(PUBLIC))).not.toThrow();
    const key = readSigningKey(`untrusted comment: a key\n${SECRET}\n`);
    expect(verifyingKeyFile(verifyingKeyOf(key)).split("\n")[1]).toBe(PUBLIC);
    const [, signature] = signFile(content, "ours", key).split("\n");
    expect(signature).toBe(OF_MINISIGN.split("\n")[1]); // Ed25519 has one signature for a message
  });

  test("OP-98 a file that was signed is verified with the public key, and nothing else is", () => {
    const key = newSigningKey();
    const content = Buffer.from("a release");
    const signature = signFile(content, "Gatehouse 1.0.0", key);
    const publicKey = readVerifyingKey(verifyingKeyFile(verifyingKeyOf(key)));
    expect(() => verifyFile(content, signature, publicKey)).not.toThrow();
    expect(() => verifyFile(Buffer.from("another"), signature, publicKey)).toThrow("of another file");
    expect(() => verifyFile(content, signature.replace("1.0.0", "1.0.1"), publicKey)).toThrow("comment");
    expect(() => verifyFile(content, signature, verifyingKeyOf(newSigningKey()))).toThrow("another key");
    expect(() => verifyFile(content, "nonsense", publicKey)).toThrow("not one of minisign");
  });

  test("OP-98 a key with a password is refused, with what to do", () => {
    const locked = Buffer.from(SECRET, "base64");
    locked.write("Sc", 2);
    expect(() => readSigningKey(locked.toString("base64"))).toThrow("minisign -R -W");
    expect(() => readSigningKey("secret")).toThrow("not a secret key");
  });
});

describe("the notes", () => {
  const log = [
    ["a".repeat(40), "feat(server): one", ""],
    ["b".repeat(40), "fix: two", "Why.\n\nBREAKING CHANGE: set THREE before\nyou start it."],
    ["c".repeat(40), "refactor(db)!: four goes away", ""],
    ["d".repeat(40), "test: five", ""],
    ["e".repeat(40), "Merge branch 'six'", ""],
  ]
    .map((fields) => fields.join("\x1f"))
    .join("\x1e\n");

  test("OP-98 have the changelog, then what changes for who upgrades, breaking changes first", () => {
    const notes = releaseNotes("1.1.0", "### Added\n\n- One.", readCommits(log));
    expect(notes).toBe(
      [
        "# Gatehouse 1.1.0",
        "### Added\n\n- One.",
        "## Breaking changes\n\n- set THREE before you start it. (bbbbbbbb)\n- **db**: four goes away (cccccccc)",
        "## Added\n\n- **server**: one (aaaaaaaa)\n",
      ].join("\n\n"),
    );
  });

  test("OP-98 take the section of the version, and no other", () => {
    const changelog =
      "# Changelog\n\n## Unreleased\n\n- next\n\n## 1.1.0 (2027-01-01)\n\n- now\n\n## 1.0.0\n\n- before\n";
    expect(changelogSection(changelog, "1.1.0")).toBe("- now");
    expect(changelogSection(changelog, "2.0.0")).toBeUndefined();
  });
});

describe("the SBOM", () => {
  test("OP-98 has the libraries of the lock file, in both formats", async () => {
    const [cyclonedx, spdx] = [join(work, "sbom.cdx.json"), join(work, "sbom.spdx.json")];
    await Promise.all([writeSbom("cyclonedx", cyclonedx), writeSbom("spdx", spdx)]);
    const names = readComponents(cyclonedx).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["jose", "better-sqlite3", "next", "@gatehouse/auth"]));
    const { spdxVersion, packages } = JSON.parse(await readFile(spdx, "utf8"));
    expect(spdxVersion).toMatch(/^SPDX-2/);
    expect(packages.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["jose", "next"]));
  });

  test("OP-97 has no license but those of decision 0040", async () => {
    const allowed = ["MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0"];
    const isAllowed = (license: string) =>
      license
        .replaceAll(/[()]/g, "")
        .split(" AND ")
        .every((part) => part.split(" OR ").some((one) => allowed.includes(one)));
    const exceptions = ["@fontsource-variable/inter: OFL-1.1", "caniuse-lite: CC-BY-4.0"];
    const others = readComponents(join(work, "sbom.cdx.json"))
      .filter(({ name }) => !name.startsWith("@gatehouse/") && !name.startsWith("@img/sharp-libvips-"))
      .filter(({ licenses }) => licenses.length === 0 || !licenses.every(isAllowed))
      .map(({ name, licenses }) => `${name}: ${licenses.join(", ")}`);
    expect(others.toSorted()).toEqual(exceptions);
  });

  test("OP-98 a file that is neither ours nor of a component is found, and so is what a bundle contains", async () => {
    const folder = join(work, "server");
    const file = async (path: string, text: string) => {
      await mkdir(join(folder, path, ".."), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    await file("dist/server.mjs", "");
    await file("console/node_modules/next/package.json", '{"name":"next","version":"16.4.6"}');
    await file("console/node_modules/next/server.js", "");
    await file("node_modules/pg/package.json", '{"name":"pg","version":"8.0.0"}');
    await file("THIRD-PARTY-LICENSES.txt", `jose 6.2.17\n\nMIT\n\n${"-".repeat(80)}\n\n@a/b 1.0.0\n\nMIT 2 words\n`);
    await file("extra/miner.js", "");
    const licenses: string[] = [];
    const known = [
      { name: "next", version: "16.4.6", licenses },
      { name: "pg", version: "8.23.1", licenses },
      { name: "jose", version: "6.2.17", licenses },
    ];
    expect(unexplained(folder, known).toSorted()).toEqual([
      "extra/miner.js is nobody's",
      "node_modules/pg/package.json is of pg 8.0.0, which is not in the SBOM",
      "the bundles contain @a/b 1.0.0, which is not in the SBOM",
    ]);
  });
});

describe("a release that was written", () => {
  const version = "1.0.0";
  const packages = ["gatehouse-server-1.0.0.tgz"];
  const [cdx, spdx] = [`gatehouse-${version}.cdx.json`, `gatehouse-${version}.spdx.json`];
  const library = { type: "library", name: "a", version: "1.0.0" };

  async function written(): Promise<string> {
    const folder = await mkdtemp(join(work, "written-"));
    const put = (file: string, text: string) => writeFile(join(folder, file), text);
    const key = newSigningKey();
    await put("gatehouse-server-1.0.0.tgz", "package");
    await put("NOTICE", "notice");
    await put("RELEASE-NOTES.md", "notes");
    await put(cdx, JSON.stringify({ components: Array(60).fill(library) }));
    await put(spdx, JSON.stringify({ spdxVersion: "SPDX-2.3" }));
    const subjects = packages.map((name) => ({ name, sha256: sha256(Buffer.from("package")) }));
    await put(PROVENANCE, JSON.stringify(provenanceOf(subjects, BUILD)));
    await put(PUBLIC_KEY, verifyingKeyFile(verifyingKeyOf(key)));
    const sums = checksums(folder, [...packages, "NOTICE", "RELEASE-NOTES.md", cdx, spdx, PROVENANCE, PUBLIC_KEY]);
    await put(CHECKSUMS, sums);
    await put(SIGNATURE, signFile(Buffer.from(sums), "Gatehouse 1.0.0", key));
    return folder;
  }
  const BUILD = {
    version,
    source: "https://code.example/acme/gatehouse",
    ref: "refs/tags/v1.0.0",
    commit: "c".repeat(40),
    lockHash: "f".repeat(64),
    builder: "https://code.example/acme/gatehouse/publish.yml",
    run: "https://code.example/acme/gatehouse/runs/1",
    node: "v24.0.0",
    startedAt: new Date(0),
    finishedAt: new Date(60_000),
  };

  test("OP-98 is whole", async () => {
    const folder = await written();
    expect(problemsOfRelease(folder, { version, packages })).toEqual([]);
    // The tool that people check it with says the same.
    execFileSync("sha256sum", ["--check", "--strict", CHECKSUMS], { cwd: folder });
  });

  test.each([
    ["a package that was changed", packages[0], "other", "is not what SHA256SUMS says"],
    ["checksums that were made again", CHECKSUMS, undefined, "signature is of another file"],
    ["a file that nobody signed", "extra.sh", "echo", "does not name extra.sh"],
    ["no SBOM", cdx, null, `${cdx} is missing`],
  ])("OP-98 %s is found", async (_, file = "", text, problem) => {
    const folder = await written();
    if (text === null) await rm(join(folder, file));
    else await writeFile(join(folder, file), text ?? `${await readFile(join(folder, file), "utf8")}\n`);
    expect(problemsOfRelease(folder, { version, packages })).toEqual(
      expect.arrayContaining([expect.stringContaining(problem)]),
    );
  });

  test("OP-98 a signature of another key is found, and provenance of another package", async () => {
    const folder = await written();
    const other = join(work, "other");
    await cp(await written(), other, { recursive: true });
    await cp(join(other, PUBLIC_KEY), join(folder, PUBLIC_KEY));
    expect(problemsOfRelease(folder, { version, packages })).toContainEqual(expect.stringContaining("another key"));
    await writeFile(join(other, PROVENANCE), JSON.stringify(provenanceOf([], BUILD)));
    expect(problemsOfRelease(other, { version, packages })).toContain(`${PROVENANCE} is not about ${packages[0]}`);
  });

  test("OP-98 the provenance names source, lock file and builder", () => {
    expect(provenanceOf([{ name: "a", sha256: "0" }], BUILD)).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      predicateType: "https://slsa.dev/provenance/v1",
      subject: [{ name: "a", digest: { sha256: "0" } }],
      predicate: {
        buildDefinition: {
          resolvedDependencies: [{ digest: { gitCommit: BUILD.commit } }, { digest: { sha256: BUILD.lockHash } }],
        },
        runDetails: { builder: { id: BUILD.builder } },
      },
    });
  });
});

test("OP-98 minisign.pub of the repository, once there is one, is a public key", async () => {
  const file = await readFile(join(ROOT, PUBLIC_KEY), "utf8").catch(() => undefined);
  if (file !== undefined) expect(() => readVerifyingKey(file)).not.toThrow();
});

test("PK-65 the program and every package have one version", async () => {
  const files = execFileSync("git", ["ls-files", "package.json", "apps/*/package.json", "packages/*/package.json"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const versions = files
    .trim()
    .split("\n")
    .map((file) => JSON.parse(readFileSync(join(ROOT, file), "utf8")).version);
  expect(versions.length).toBeGreaterThan(15);
  expect([...new Set(versions)]).toEqual([VERSION]);
});

describe("the image layout", () => {
  const blobOf = (content: string) => ({ digest: `sha256:${sha256(Buffer.from(content))}`, content });

  /** An archive with an image of one layer; `change` edits its configuration. */
  async function layoutOf(name: string, change: object = {}, layer = "files"): Promise<string> {
    const folder = join(work, name);
    const config = blobOf(
      JSON.stringify({
        os: "linux",
        config: {
          Entrypoint: ["gatehouse"],
          Cmd: ["web"],
          User: "65532:65532",
          Labels: { "org.opencontainers.image.version": "1.2.3" },
          ...change,
        },
      }),
    );
    const files = blobOf("files");
    const manifest = blobOf(JSON.stringify({ config: { digest: config.digest }, layers: [{ digest: files.digest }] }));
    await mkdir(join(folder, "blobs/sha256"), { recursive: true });
    for (const { digest, content } of [config, manifest, { ...files, content: layer }])
      await writeFile(join(folder, "blobs", digest.replace(":", "/")), content);
    await writeFile(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
    await writeFile(join(folder, "index.json"), JSON.stringify({ manifests: [{ digest: manifest.digest }] }));
    execFileSync("tar", ["--create", "--file", `${folder}.tar`, "--directory", folder, "."]);
    return `${folder}.tar`;
  }

  test.each<[string, object, string, string[]]>([
    ["sound", {}, "files", []],
    ["of-root", { User: "0:0" }, "files", ["the image runs as root"]],
    ["of-another-version", { Labels: {} }, "files", ["the image has another version"]],
    ["with-a-shell", { Entrypoint: ["sh", "-c"] }, "files", ["the image does not start `gatehouse web`"]],
    ["changed", {}, "other files", [expect.stringMatching(/^the blob sha256:\w+ of the image is another file$/)]],
  ])("OP-98 an image that is %s", async (name, change, layer, expected) => {
    const file = await layoutOf(name, change, layer);
    expect(await problemsOfLayout(file, "1.2.3", join(work, `${name}-unpacked`))).toEqual(expected);
  });
});
