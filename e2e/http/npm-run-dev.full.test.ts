import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { cloneWorkingTree } from "../harness/extended-clone.ts";
import { ROOT } from "../harness/gatehouse.ts";
import { PATIENCE, type Started, serving, startBoth } from "../harness/npm-start.ts";

// In a clone, since it changes sources. Full layer only: it installs, and starts two development servers.

const ADMIN = { email: "admin@example.com", password: "admin of a development server" };
const CLONE = join(ROOT, ".dev-clone");
/** From saving a file until the answer is another one: a few seconds, but more while other tests run. */
const WITHIN = { timeout: 30_000, interval: 50 };

let data: string;
let dev: Started | undefined;
let issuer: string;
let admin: string;
beforeAll(async () => {
  await cloneWorkingTree(CLONE, ["web", "admin"]);
  data = await mkdtemp(join(tmpdir(), "gatehouse-dev-"));
}, 600_000);
afterAll(async () => {
  await end();
  for (const folder of [CLONE, data]) await rm(folder, { recursive: true, force: true });
});

async function end(): Promise<unknown[]> {
  if (!dev || dev.child.exitCode !== null) return [];
  const exit = once(dev.child, "exit");
  dev.child.kill("SIGTERM");
  return exit;
}

const restoring: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const restore of restoring.splice(0)) await restore();
});

/** Replaces a text of a file, as an editor saves it. The file is as before after the test. */
async function edit(path: string, before: string, after: string): Promise<void> {
  const file = join(CLONE, path);
  const content = await readFile(file, "utf8");
  expect(content).toContain(before);
  restoring.push(() => writeFile(file, content));
  await writeFile(
    file,
    content.replace(before, () => after),
  );
}

function started(): Started {
  if (!dev) throw new Error("nothing has started");
  return dev;
}

const text = async (url: string) => (await fetch(url, { headers: { accept: "text/html" } })).text();

/** A connection to Next's hot reload, and what it received. */
async function openHotReload(port: number, origin: string): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, "localhost").setEncoding("latin1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk));
  socket.on("error", () => {});
  const head = [
    "GET /_next/hmr?id=test HTTP/1.1",
    `Host: localhost:${port}`,
    `Origin: ${origin}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await expect.poll(() => received, PATIENCE).toContain("\r\n\r\n");
  return { socket, received: () => received };
}

describe("npm run dev", () => {
  test("starts the server and the console", async () => {
    const firstAdmin = { GATEHOUSE_ADMIN_EMAIL: ADMIN.email, GATEHOUSE_ADMIN_PASSWORD: ADMIN.password };
    const both = await startBoth("dev", { GATEHOUSE_DATA_DIR: data, ...firstAdmin }, CLONE);
    issuer = `http://localhost:${both.web}`;
    admin = `http://localhost:${both.admin}`;
    dev = both;
    expect(await serving(both)).toEqual([true, true]);
  }, 180_000);

  test("a changed view of the server is in its page", async () => {
    expect(await text(`${issuer}/sign-in`)).toContain("Sign in");
    await edit("apps/web/views/sign-in/sign-in.tsx", "<h1>{signIn.title}</h1>", "<h1>{signIn.title}, changed</h1>");
    await expect.poll(() => text(`${issuer}/sign-in`), WITHIN).toContain("Sign in, changed");
  });

  test("a changed route answers with the change", async () => {
    await edit("apps/web/app/healthz/route.ts", '"ok"', '"changed"');
    await expect.poll(() => text(`${issuer}/healthz`), WITHIN).toContain("changed");
  });

  test("a changed package is in the page, and in its styles", async () => {
    await edit("packages/languages/src/en/sign-in.ts", 'title: "Sign in"', 'title: "Come in"');
    await expect.poll(() => text(`${issuer}/sign-in`), WITHIN).toContain("Come in");
    await edit("packages/product/src/brand.css", "", "/* changed */\n");
    await expect.poll(() => text(`${issuer}/assets/pages.css`), WITHIN).toContain("/* changed */");
  });

  test("open pages hear of the change, and load again", async () => {
    const page = await fetch(`${issuer}/sign-in`, { headers: { accept: "text/html" } });
    const [, script = "", built = ""] = /<script src="([^?"]+)\?([^"]+)"><\/script>$/.exec(await page.text()) ?? [];
    expect(page.headers.get("content-security-policy")).toMatch(/script-src 'self'.*connect-src 'self'/);
    expect(await text(issuer + script)).toContain("location.reload()");
    const changes = await fetch(`${issuer}/_dev/changes`);
    const reader = changes.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    const listening = (async () => {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) heard += next.value;
    })();
    await expect.poll(() => heard).toContain(`data: ${built} `);
    await edit("apps/web/app/healthz/route.ts", '"ok"', '"again"');
    await expect.poll(() => heard.match(/data: /g)?.length, WITHIN).toBeGreaterThan(1);
    await reader?.cancel();
    await listening;
  });

  test("a file with a mistake leaves the server as it was", async () => {
    await edit("apps/web/app/healthz/route.ts", "export const", "export const const");
    await expect.poll(started().output, PATIENCE).toContain("The change is not running");
    expect(await text(`${issuer}/sign-in`)).toContain("Sign in");
  });

  test("a changed React page is rendered with the change, and its open pages are told", async () => {
    const member = newAgent(issuer);
    const fields = { Email: ADMIN.email, Password: ADMIN.password };
    await member.submit(await member.open("/sign-in"), { fields, button: "Sign in" });
    expect((await member.open("/notes")).text).toContain("<h1>Notes</h1>");
    const { socket, received } = await openHotReload(started().web, issuer);
    await expect.poll(received, PATIENCE).toContain("turbopack-connected");
    await edit("apps/web/app/notes/page.tsx", "<h1>Notes</h1>", "<h1>Notes, changed</h1>");
    await expect.poll(received, WITHIN).toContain("serverComponentChanges");
    await expect.poll(async () => (await member.open("/notes")).text, WITHIN).toContain("<h1>Notes, changed</h1>");
    socket.destroy();
  });

  test("another site cannot follow hot reload, and other upgrades are refused", async () => {
    for (const origin of ["https://evil.example", "http://localhost:1", "null"]) {
      const { socket, received } = await openHotReload(started().web, origin);
      expect(received()).toContain("403 Forbidden");
      socket.destroy();
    }
  });

  test("a changed component of the console is compiled again and sent to its open pages", async () => {
    expect(await text(`${admin}/signed-out`)).toContain("signed out");
    const file = "apps/admin/src/app/signed-out/page.tsx";
    const source = await readFile(join(CLONE, file), "utf8");
    const [, title = ""] = /title="([^"]+)"/.exec(source) ?? [];
    await edit(file, `title="${title}"`, 'title="All changed"');
    await expect.poll(() => text(`${admin}/signed-out`), WITHIN).toContain("All changed");
  });

  test("SIGTERM ends all of it", async () => {
    expect(await end()).toEqual([0, null]);
    expect(await serving(started())).toEqual([false, false]);
  });
});
