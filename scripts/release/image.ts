import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildImage, missingPackages, writeLayout } from "../image/image.mjs";

/** Why the image cannot be built on this machine; undefined if it can. */
export function imageHindrance(): string | undefined {
  if (process.getuid?.() !== 0) return "building it without a daemon needs root";
  const missing = missingPackages();
  return missing.length === 0 ? undefined : `${missing.join(", ")} of Debian is missing`;
}

/**
 * Builds the image of the Dockerfile on bases of Debian's packages, without a container daemon, and writes it as an OCI
 * image layout into the tar archive `file`. OP-98, OP-08
 */
export function makeImageLayout(file: string, work: string): void {
  buildImage(work);
  writeLayout(work, file);
}

type Descriptor = { mediaType: string; digest: string; size: number };
type Config = {
  architecture: string;
  os: string;
  config: { Entrypoint?: string[]; Cmd?: string[]; User?: string; Labels?: Record<string, string> };
};

/**
 * What is wrong with the archive of an OCI image layout, as sentences: blobs that are not what their names say, and an
 * image of another version, without its entry point, or that runs as root. `work`: an empty folder to unpack it in.
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md
 */
export async function problemsOfLayout(file: string, version: string, work: string): Promise<string[]> {
  mkdirSync(work, { recursive: true });
  execFileSync("tar", ["--extract", "--file", file, "--directory", work]);
  const read = <Value>(name: string): Value => JSON.parse(readFileSync(join(work, name), "utf8"));
  const blob = ({ digest }: Descriptor) => `blobs/${digest.replace(":", "/")}`;
  if (!existsSync(join(work, "oci-layout"))) return ["the image is no OCI image layout"];

  const [manifest, ...more] = read<{ manifests: Descriptor[] }>("index.json").manifests;
  if (!manifest || more.length > 0) return ["the image layout does not have one image"];
  const { config, layers } = read<{ config: Descriptor; layers: Descriptor[] }>(blob(manifest));
  const problems: string[] = [];
  for (const one of [manifest, config, ...layers])
    if (`sha256:${await hashOf(join(work, blob(one)))}` !== one.digest)
      problems.push(`the blob ${one.digest} of the image is another file`);

  const { os, config: runs } = read<Config>(blob(config));
  if (os !== "linux") problems.push(`the image is for ${os}`);
  if (runs.Labels?.["org.opencontainers.image.version"] !== version) problems.push("the image has another version");
  if (runs.Entrypoint?.join(" ") !== "gatehouse" || runs.Cmd?.join(" ") !== "web")
    problems.push("the image does not start `gatehouse web`");
  if (!/^[1-9]\d*:/.test(runs.User ?? "")) problems.push("the image runs as root");
  return problems;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}
