import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readTrustedProxies, type TrustedProxies } from "@gatehouse/runtime/trusted-proxies";
import { afterEach, expect, test } from "vitest";
import { OWN_SCRIPT_HEADERS, PAGE_HEADERS, reactPageHeaders, scriptHeaders } from "../server/routing/headers.ts";
import { createFront } from "./front.ts";
import { createReloading } from "./reloading.ts";

const ISSUER = "http://localhost:3000";
const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

async function listening(server: Server): Promise<{ host: string; port: number }> {
  open.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

/** A front before a server that answers so, and before a Next that upgrades everything. */
async function scene(answer: RequestListener, trustedProxies?: TrustedProxies) {
  const back = await listening(createServer(answer));
  const next = createServer((_, outgoing) => outgoing.end("of Next"));
  const origins: (string | undefined)[] = [];
  next.on("upgrade", ({ headers }, socket) => {
    origins.push(headers.origin);
    socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nframes");
  });
  const nextAddress = await listening(next);
  const reloading = createReloading();
  const backs = { server: async () => back, next: async () => nextAddress };
  const front = createFront({ issuer: ISSUER, trustedProxies }, backs, reloading);
  const server = createServer((incoming, outgoing) => void front.listener(incoming, outgoing));
  server.on("upgrade", front.upgrade);
  const { port } = await listening(server);
  return {
    reloading,
    origins,
    port,
    get: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
  };
}

const page =
  (headers: Readonly<Record<string, string>>): RequestListener =>
  (_, outgoing) =>
    outgoing
      .writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Length": 14, ...headers })
      .end("<!doctype html");

test.each([
  ["without scripts", PAGE_HEADERS],
  ["with a ceremony", OWN_SCRIPT_HEADERS],
])("a page %s gets the script, and its policy allows that script and its connection alone", async (_, headers) => {
  const { get } = await scene(page(headers));
  const answer = await get("/sign-in");
  expect(await answer.text()).toMatch(/^<!doctype html<script src="\/_dev\/reload\.js\?[\w-]+"><\/script>$/);
  const policy = answer.headers.get("content-security-policy")?.split("; ") ?? [];
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]));
});

test("a React page gets it with the nonce, under its own policy", async () => {
  const headers = reactPageHeaders("bm9uY2U=", true);
  const answer = await (await scene(page(headers))).get("/notes");
  expect(await answer.text()).toContain('<script nonce="bm9uY2U=" src="/_dev/reload.js?');
  expect(answer.headers.get("content-security-policy")).toBe(headers["Content-Security-Policy"]);
});

test("a page that posts itself, and what is no page, stays as it is", async () => {
  expect(await (await (await scene(page(scriptHeaders("'sha256-x'")))).get("/")).text()).toBe("<!doctype html");
  const answer = await (await scene((_, outgoing) => outgoing.writeHead(201, { "X-One": "1" }).end("{}"))).get(
    "/token",
  );
  expect([answer.status, answer.headers.get("x-one"), await answer.text()]).toEqual([201, "1", "{}"]);
});

test("pages hear that the server is another one", async () => {
  const { get, reloading } = await scene(page(PAGE_HEADERS));
  const [, built = ""] = /reload\.js\?([\w-]+)/.exec(await (await get("/")).text()) ?? [];
  const reader = (await get("/_dev/changes")).body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = `${(await reader?.read())?.value}`;
  expect(first + (first.includes("data:") ? "" : (await reader?.read())?.value)).toContain(`data: ${built} `);
  reloading.changed("server");
  const next = (await reader?.read())?.value;
  expect(next).toMatch(/^data: [\w-]+ [\w-]+\n\n$/);
  expect(next).not.toContain(`${built} `);
  await reader?.cancel();
});

test("the server hears the caller's address from the socket, and from a proxy only if that is trusted", async () => {
  const echo: RequestListener = ({ headers }, outgoing) =>
    outgoing.end(`${headers["x-forwarded-for"]} ${headers["x-request-id"]} ${headers["accept-encoding"]}`);
  const headers = { "x-forwarded-for": "192.0.2.1", "x-request-id": "mine" };
  expect(await (await (await scene(echo)).get("/", { headers })).text()).toBe("127.0.0.1 undefined undefined");
  expect(
    await (await (await scene(echo, readTrustedProxies({ GATEHOUSE_TRUST_PROXY: "1" }))).get("/", { headers })).text(),
  ).toBe("192.0.2.1 mine undefined");
});

test("a server that does not answer is 503", async () => {
  const { get } = await scene(({ socket }) => void socket.destroy());
  const answer = await get("/sign-in");
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("The server does not answer")]);
});

test("a page that a server did not answer before it ended comes from the next one; a form is not sent twice", async () => {
  let asked = 0;
  const { get } = await scene(({ socket }, outgoing) => {
    asked += 1;
    if (asked === 2) outgoing.end("answered");
    else socket.destroy();
  });
  expect(await (await get("/sign-in")).text()).toBe("answered");
  expect((await get("/sign-in", { method: "POST", body: "a=b" })).status).toBe(503);
  expect(asked).toBe(3);
});

/** The answer to a request for an upgrade, and the first bytes after it. */
function upgradeAt(port: number, path: string, origin: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { connection: "Upgrade", upgrade: "websocket", ...(origin === undefined ? {} : { origin }) };
    const asked = request({ host: "127.0.0.1", port, path, headers });
    asked.once("upgrade", (_, socket, head) => {
      let frames = head.toString();
      socket.on("data", (chunk) => (frames += chunk));
      socket.once("close", () => resolve(frames));
    });
    asked.once("response", ({ statusCode }) => resolve(String(statusCode)));
    asked.once("error", reject);
    asked.end();
  });
}

test("hot reload goes to Next, for pages of the issuer alone", async () => {
  const { port, origins } = await scene(page(PAGE_HEADERS));
  expect(await upgradeAt(port, "/_next/hmr?id=1", ISSUER)).toBe("frames");
  for (const origin of ["https://evil.example", "http://localhost:3001", "null", undefined])
    expect([origin, await upgradeAt(port, "/_next/hmr?id=1", origin)]).toEqual([origin, "403"]);
  expect(await upgradeAt(port, "/sign-in", ISSUER)).toBe("403");
  expect(origins).toHaveLength(1);
});
