/** Where an artifact comes from. Hashes are SHA-256 in hex. */
export type Build = {
  version: string;
  /** Of the repository, such as `https://github.com/acme/gatehouse`. */
  source: string;
  ref: string;
  commit: string;
  lockHash: string;
  /** Who built it, as a URL, and which run. */
  builder: string;
  run: string;
  node: string;
  startedAt: Date;
  finishedAt: Date;
};

export type Subject = { name: string; sha256: string };

/** An in-toto statement with a predicate of SLSA v1. OP-98, https://slsa.dev/spec/v1.0/provenance */
export function provenanceOf(subjects: readonly Subject[], build: Build): object {
  const { source, ref, commit } = build;
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${source}/blob/${commit}/docs/releasing.md#what-a-release-holds`,
        externalParameters: { source, ref, version: build.version },
        internalParameters: { command: "npm run release", node: build.node },
        resolvedDependencies: [
          { uri: `git+${source}@${ref}`, digest: { gitCommit: commit } },
          { uri: `git+${source}@${ref}#pnpm-lock.yaml`, digest: { sha256: build.lockHash } },
        ],
      },
      runDetails: {
        builder: { id: build.builder },
        metadata: {
          invocationId: build.run,
          startedOn: build.startedAt.toISOString(),
          finishedOn: build.finishedAt.toISOString(),
        },
      },
    },
  };
}
