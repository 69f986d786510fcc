import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { unexplained } from "../../scripts/release/contents.ts";
import { readComponents, writeSbom } from "../../scripts/release/sbom.ts";
import { filesOf, gatehouseIn, linked, manifestOf, type Packages, packServer } from "../harness/packaged.ts";
import { freePort, type Running, untilReady } from "../harness/processes.ts";

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
        "dist/backup.mjs",
        "dist/traces.mjs",
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

  test("OP-98 every file is built here or of a component of the SBOM, and so is what the bundles contain", async () => {
    const sbom = join(packages.work, "sbom.cdx.json");
    await writeSbom("cyclonedx", sbom);
    expect(unexplained(packages.server.folder, readComponents(sbom))).toEqual([]);
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

  test("PK-16 OP-17 serves by `gatehouse web`, reads settings again on SIGHUP, and stops with 0 on SIGTERM", async () => {
    const port = await freePort();
    const file = join(project, "settings.env");
    await writeFile(file, "LOG_LEVEL=warn\n");
    const settings = { PORT: String(port), GATEHOUSE_ENV_FILE: file };
    await expect(run("health", settings)).resolves.toMatchObject({ code: 1 });
    const server = gatehouseIn(project, ["web"], settings);
    await untilReady(`http://localhost:${port}/healthz`, server);
    await expect(run("health", settings)).resolves.toEqual({ code: 0, output: "" });
    // OP-08 A container whose command goes to the entry point, and one whose command replaces it.
    await expect(run("gatehouse", settings, ["health"])).resolves.toEqual({ code: 0, output: "" });
    // OP-17
    await writeFile(file, "LOG_LEVEL=warn\nGATEHOUSE_MAIL_FROM=Another <a@example.com>\n");
    server.child.kill("SIGHUP");
    await expect.poll(server.output).toContain('"variables":["GATEHOUSE_MAIL_FROM"]');
    await expect(run("health", settings)).resolves.toEqual({ code: 0, output: "" });
    expect(server.output()).toMatch(/Email {5}admin@example\.com\s+Password {2}\S{20,}/);
    await server.stop();
    expect(server.child.exitCode).toBe(0);
  });

  test("PK-09 OP-11 says how its commands are run: by its own name where it is installed", async () => {
    const { code, output } = await run("apply", { GATEHOUSE_ISSUER: "http://id.example.com" }, ["nothing.json"]);
    expect(code).toBe(78);
    expect(output).toContain("GATEHOUSE_ISSUER");
    const empty = await run("keys", { GATEHOUSE_DATA_DIR: "empty" }, ["list"]);
    expect(empty.output).toContain("Run `npx gatehouse all` or `npx gatehouse bootstrap` first");
    expect(empty.code).toBe(78);
  });
});

describe("gatehouse dev", () => {
  const CLIENT = { client_id: "shop-dev", type: "web", redirect_uris: ["http://localhost:3000/auth/callback"] };
  const SECRET = "only-for-tests-0123456789-0123456789";
  /** What the product has in .env must be no setting of the server. */
  const PRODUCT_ENV = "PORT=1\nDATABASE_URL=postgres://nowhere.invalid/shop\nGATEHOUSE_ISSUER=https://id.example.com\n";
  let shop: string;
  let port: number;
  let consolePort: number;
  let running: Running;

  const configure = (more: object) => {
    const client = { ...CLIENT, scopes: ["openid"], ...more };
    const file = { applications: [{ name: "Shop", environments: { development: client } }] };
    return writeFile(join(shop, "gatehouse.json"), JSON.stringify(file));
  };
  /** What the token endpoint says to the product's client, which may have no token for itself. */
  const tokenError = async () => {
    const authorization = `Basic ${btoa(`shop-dev:${SECRET}`)}`;
    const body = new URLSearchParams({ grant_type: "client_credentials" });
    const answer = await fetch(`http://localhost:${port}/token`, { method: "POST", headers: { authorization }, body });
    return ((await answer.json()) as { error: string }).error;
  };
  const dev = (...command: string[]) =>
    gatehouseIn(
      shop,
      [
        "dev",
        "--port",
        `${port}`,
        "--console-port",
        `${consolePort}`,
        ...(command.length > 0 ? ["--", ...command] : []),
      ],
      { DATABASE_URL: "postgres://nowhere.invalid/shop" },
    );

  beforeAll(async () => {
    shop = await linked(packages);
    [port, consolePort] = [await freePort(), await freePort()];
    await configure({});
    await writeFile(join(shop, ".env"), PRODUCT_ENV);
    await writeFile(join(shop, ".env.local"), `GATEHOUSE_CLIENT_ID=shop-dev\nGATEHOUSE_CLIENT_SECRET=${SECRET}\n`);
    running = dev(
      process.execPath,
      "-e",
      'console.log("beside", process.env.DATABASE_URL, process.env.GATEHOUSE_CLIENT_ID); setInterval(() => {}, 1e6)',
    );
    const started = () => expect(running.output()).toContain("beside postgres://nowhere.invalid/shop shop-dev");
    await vi.waitFor(started, { timeout: 60_000, interval: 50 });
  });
  afterAll(() => running?.stop());

  test("PK-18 prints issuer, console and a first user, and has registered what gatehouse.json says", async () => {
    expect(running.output()).toMatch(/Email {5}\S+@\S+\s+Password {2}\S{20,}/);
    expect(running.output()).toContain(
      `Gatehouse  http://localhost:${port}\n  Console    http://localhost:${consolePort}`,
    );
    await expect(tokenError()).resolves.toBe("unauthorized_client");
    expect(running.output()).not.toContain(SECRET);
  });

  test("PK-18 keeps its data in .gatehouse, which is the owner's alone and not Git's", async () => {
    const folder = join(shop, ".gatehouse");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await expect(readFile(join(folder, ".gitignore"), "utf8")).resolves.toBe("*\n");
    await expect(readdir(shop)).resolves.not.toContain(".data");
  });

  test("PK-18 listens on loopback alone", async () => {
    const elsewhere = Object.values(networkInterfaces())
      .flatMap((addresses = []) => addresses)
      .find(({ internal, family }) => !internal && family === "IPv4");
    for (const one of elsewhere ? [port, consolePort] : [])
      await expect(fetch(`http://${elsewhere?.address}:${one}/healthz`)).rejects.toThrow();
  });

  test("PK-18 starts the console at the first visit", async () => {
    const health = await fetch(`http://localhost:${consolePort}/healthz`);
    expect(health.status).toBe(200);
  });

  test("PK-18 applies gatehouse.json again when it changes, and says why it cannot", async () => {
    await configure({ scopes: ["openid", "no-such-scope"] });
    await expect.poll(running.output).toContain("✖ gatehouse.json is not applied");
    expect(running.output()).toContain("no-such-scope");
    await configure({ enabled: false });
    await expect.poll(tokenError).toBe("invalid_client");
  });

  test("PK-18 a port that is taken is an error that names the process", async () => {
    const second = dev();
    await expect.poll(() => second.child.exitCode).toBe(1);
    expect(second.output()).toMatch(new RegExp(`Port ${port} is taken by process \\d+ \\(.*node.*\\)`));
  });

  test("PK-18 Ctrl-C stops the server, the console and the command", async () => {
    running.child.kill("SIGINT");
    await expect.poll(() => running.child.exitCode, { timeout: 30_000 }).toBe(0);
    for (const one of [port, consolePort]) await expect(fetch(`http://localhost:${one}/healthz`)).rejects.toThrow();
  });

  test("PK-18 ends with the exit code of the command, which stops the server", async () => {
    const short = dev(process.execPath, "-e", "process.exit(3)");
    await expect.poll(() => short.child.exitCode, { timeout: 30_000 }).toBe(3);
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow();
  });
});

/** Runs a command until it ends. */
async function run(command: string, env: Record<string, string>, args: string[] = []) {
  const { child, output } = gatehouseIn(project, [command, ...args], env);
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, output: output() };
}
