import { chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildImage, type Image, missingPackages, runImage } from "../../scripts/image/image.mjs";
import { filesBelow } from "../../scripts/pack/check.mjs";
import { newAgent } from "../harness/agent.ts";
import { neededFixture, useEverything } from "../harness/black-box.ts";
import { send } from "../harness/http.ts";
import { filesOf, packServer } from "../harness/packaged.ts";
import { freePort } from "../harness/processes.ts";

const PROGRAM = "opt/gatehouse";
/** A build on slow machines. */
const BUILD_WITHIN_MS = 1_800_000;
const NOBODY = 65_532;

/** Next names a folder after the build, and the image has one of its own. */
const whateverBuild = (files: readonly string[]) =>
  files.map((file) => file.replace(/(?<=\.next\/static\/)[\w-]{21}(?=\/)/, "<build>")).toSorted();
const MIB = 1024 ** 2;

const missing = process.getuid?.() === 0 ? missingPackages() : ["(it needs root)"];
if (missing.length > 0) console.warn(`The image is not built here: ${missing.join(", ")} of Debian is missing.`);

describe.skipIf(missing.length > 0)("the image", () => {
  let work: string;
  let image: Image;
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), "gatehouse-image-"));
    image = buildImage(work);
  }, BUILD_WITHIN_MS);
  afterAll(() => rm(work, { recursive: true, force: true }));

  test("OP-02 OP-03 has the files of @gatehouse/server and its libraries, and no other file of Gatehouse", async () => {
    const packages = await packServer();
    const own = filesBelow(join(image.root, PROGRAM)).filter((file) => !file.startsWith("node_modules/"));
    expect(whateverBuild(own)).toEqual(whateverBuild(filesOf(packages.server)));
    await packages.remove();
    await expect(readdir(join(image.root, PROGRAM, "node_modules/@gatehouse"))).resolves.toHaveLength(1);
  });

  test("OP-02 has Node 24 on glibc, no npm, shell or compiler, and at most 350 MB", async () => {
    const node = await run({ args: ["--version"] }, ["/usr/local/bin/node"]);
    expect(node).toMatchObject({ code: 0, output: expect.stringMatching(/^v24\./) });
    const names = new Set(filesBelow(image.root).map((file) => file.split("/").at(-1)));
    for (const name of ["npm", "npx", "pnpm", "sh", "bash", "gcc", "cc", "make", "python3"])
      expect([name, names.has(name)]).toEqual([name, false]);
    expect(await sizeOf(image.root)).toBeLessThan(350 * MIB);
  });

  test("OP-01 OP-02 starts `gatehouse web` without a shell, probes by `gatehouse health`, and says what it is", () => {
    expect(image.config).toMatchObject({
      Entrypoint: ["gatehouse"],
      Cmd: ["web"],
      User: `${NOBODY}:${NOBODY}`,
      StopSignal: "SIGTERM",
      Healthcheck: { Test: ["CMD", "gatehouse", "health"] },
    });
    expect(image.config.Labels).toMatchObject({
      "org.opencontainers.image.title": "Gatehouse",
      "org.opencontainers.image.licenses": "MIT",
      "org.opencontainers.image.version": expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  test.each([NOBODY, 12_345])(
    "OP-01 OP-08 as uid %i on a read-only root it serves everything, and SIGTERM ends it with 0",
    async (uid) => {
      const at = await installation(uid);
      for (const args of [["bootstrap"], ["apply", "/tmp/fixture.json"]])
        expect(await run({ ...at, args })).toEqual({ code: 0, output: expect.any(String) });
      const all = start({ ...at, args: ["all"] });
      await expect.poll(() => answers(at.issuer, "/readyz"), { timeout: 60_000 }).toBe(200);
      await expect.poll(() => answers(at.console, "/healthz"), { timeout: 60_000 }).toBe(200);
      await useEverything(at.issuer, "token");
      const page = await newAgent(at.console).open("/");
      expect(page.headers.get("location")).toContain(`${at.issuer}/authorize`);
      for (const program of ["web", "admin"])
        await expect(run({ ...at, args: ["health", program] })).resolves.toMatchObject({ code: 0 });
      all.signal("SIGTERM");
      expect([await all.ended, all.output()]).toEqual([0, expect.not.stringMatching(/EROFS|EACCES|"level":[56]0/)]);
      await expect(run({ ...at, args: ["health"] })).resolves.toMatchObject({ code: 1 });
    },
  );

  /** A data folder of this user, and an installation on free ports in it. */
  async function installation(uid: number) {
    const folder = await mkdtemp(join(work, "data-"));
    const data = join(folder, "data");
    const file = join(folder, "fixture.json");
    await mkdir(data);
    await chown(data, uid, uid);
    await chown(folder, uid, uid);
    await writeFile(file, JSON.stringify(neededFixture()));
    const [port, consolePort] = [await freePort(), await freePort()];
    const [issuer, console] = [`http://localhost:${port}`, `http://localhost:${consolePort}`];
    const env = {
      PORT: String(port),
      ADMIN_PORT: String(consolePort),
      GATEHOUSE_ISSUER: issuer,
      GATEHOUSE_ADMIN_URL: console,
      GATEHOUSE_OPS_PORT: "0",
      GATEHOUSE_TRUST_PROXY: "1",
    };
    return { issuer, console, data, uid, env, mounts: { "/tmp/fixture.json": file } };
  }

  type Options = Partial<Omit<Parameters<typeof runImage>[1], "args">> & { args: string[] };

  function start({ args, data = work, env = {}, uid = NOBODY, mounts = {} }: Options, entry = image.config.Entrypoint) {
    const contained = runImage(
      { ...image, config: { ...image.config, Entrypoint: entry } },
      { args, data, env, uid, mounts },
    );
    let said = "";
    for (const stream of [contained.child.stdout, contained.child.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
    const ended = new Promise<number | null>((resolve) => contained.child.once("close", resolve));
    return { ...contained, ended, output: () => said };
  }

  async function run(options: Options, entry?: string[]) {
    const started = start(options, entry);
    return { code: await started.ended, output: started.output() };
  }
});

async function answers(origin: string, path: string): Promise<number> {
  return send(origin, path).then(
    ({ status }) => status,
    () => 0,
  );
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all(filesBelow(folder).map(async (file) => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
