import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesOf, gatehouseIn, linked, manifestOf, type Packages, packServer } from "../harness/packaged.ts";
import { freePort, untilReady } from "../harness/processes.ts";

let packages: Packages;
let project: string;

beforeAll(async () => {
  packages = await packServer();
  project = await linked(packages);
});
afterAll(() => packages?.remove());

describe("the packed server", () => {
  test("PK-16 has the bundles, the migrations, the assets and the console, and installs neither Next nor React", async () => {
    const { dependencies, ...manifest } = await manifestOf(packages.server);
    expect(Object.keys(dependencies).toSorted()).toEqual(["@node-rs/argon2", "@node-rs/bcrypt", "pg", "pino", "sharp"]);
    expect(manifest).toMatchObject({ bin: { gatehouse: "bin/gatehouse.mjs" } });
    const files = filesOf(packages.server);
    expect(files).toEqual(
      expect.arrayContaining([
        "bin/gatehouse.mjs",
        "dist/server.mjs",
        "dist/gatehouse.mjs",
        "dist/handlers.mjs",
        "migrations/sqlite/0000_initial.sql",
        "migrations/postgres/meta/_journal.json",
        "public/assets/pages.css",
        "console/serve.mjs",
        "console/.next/BUILD_ID",
        "console/node_modules/next/dist/server/next.js",
        "THIRD-PARTY-LICENSES.txt",
        "LICENSE",
      ]),
    );
    expect(files.filter((file) => /libvips|sharp|\.node$|\.map$|(^|\/)snapshot|\.nft\.json$/.test(file))).toEqual([]);
  });

  test("PK-16 stays within 15 MB, and 60 MB unpacked", () => {
    expect(packages.server.size).toBeLessThan(15_000_000);
    expect(packages.server.unpackedSize).toBeLessThan(60_000_000);
  });

  test("PK-16 has no example of a product, and names no folder of the machine that packed it", async () => {
    for (const file of filesOf(packages.server).filter((one) => /\.(mjs|js|json)$/.test(one))) {
      const text = await readFile(join(packages.server.folder, file), "utf8");
      expect(text.includes(process.cwd()), file).toBe(false);
      expect(/notes:read|subscriptions:read/.test(text), file).toBe(false);
    }
  });

  test("PK-08 PK-17 has the repository's version, as has the package with SQLite's binary", async () => {
    const [server, sqlite] = [await manifestOf(packages.server), await manifestOf(packages.sqlite)];
    expect(server["optionalDependencies"]).toEqual({ [sqlite.name]: sqlite.version });
    expect(sqlite).toMatchObject({ version: server.version, os: [process.platform], cpu: [process.arch] });
    expect(filesOf(packages.sqlite)).toContain(`node-v${process.versions.modules}.node`);
    expect(packages.sqlite.unpackedSize).toBeLessThan(3_000_000);
  });

  test("PK-16 serves by `gatehouse web`, and stops with 0 on SIGTERM", async () => {
    const port = await freePort();
    const settings = { PORT: String(port), LOG_LEVEL: "warn" };
    await expect(run("health", settings)).resolves.toMatchObject({ code: 1 });
    const server = gatehouseIn(project, ["web"], settings);
    await untilReady(`http://localhost:${port}/healthz`, server);
    await expect(run("health", settings)).resolves.toEqual({ code: 0, output: "" });
    expect(server.output()).toMatch(/Email {5}admin@example\.com\s+Password {2}\S{20,}/);
    await server.stop();
    expect(server.child.exitCode).toBe(0);
  });

  test("PK-09 says how its commands are run: by its own name where it is installed", async () => {
    const { code, output } = await run("apply", { GATEHOUSE_ISSUER: "http://id.example.com" }, ["nothing.json"]);
    expect(code).toBe(1);
    expect(output).toContain("GATEHOUSE_ISSUER");
    const empty = await run("keys", { GATEHOUSE_DATA_DIR: "empty" }, ["list"]);
    expect(empty.output).toContain("Run `npx gatehouse all` or `npx gatehouse bootstrap` first");
    expect(empty.code).toBe(78);
  });
});

/** Runs a command until it ends. */
async function run(command: string, env: Record<string, string>, args: string[] = []) {
  const { child, output } = gatehouseIn(project, [command, ...args], env);
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, output: output() };
}
