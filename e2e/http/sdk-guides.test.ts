import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { emailOf } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { apply } from "../harness/gatehouse.ts";
import { writeGuides } from "../harness/guides.ts";
import { freePort, launch, type Running, untilReady } from "../harness/processes.ts";

// The code on the pages for products: all of it compiles, and each framework's runs as its page has it.

const issuer = inject("issuer");
const PERSON = "quick-start";
const CLIENT = { client_id: "guides", client_secret: "only-for-tests-guides-0123456789-0123456789-01234" };
const started: Running[] = [];
let guides: Awaited<ReturnType<typeof writeGuides>>;
let ports: { express: number; hono: number };

beforeAll(async () => {
  guides = await writeGuides();
  ports = { express: await freePort(), hono: await freePort() };
  const urls = Object.values(ports).map((port) => `http://localhost:${port}`);
  const client = {
    ...CLIENT,
    type: "web",
    first_party: true,
    rotate_refresh_tokens: false,
    redirect_uris: urls.map((url) => `${url}/auth/callback`),
    post_logout_redirect_uris: urls.map((url) => `${url}/`),
    scopes: ["openid", "profile", "email", "offline_access"],
  };
  const applications = [{ name: "Guides", environments: { development: client } }];
  await apply({ applications }, guides.folder, inject("env"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const program of started) await program.stop();
  await guides.remove();
});

const variables = (port: number) => ({
  GATEHOUSE_ISSUER: issuer,
  GATEHOUSE_CLIENT_ID: CLIENT.client_id,
  GATEHOUSE_CLIENT_SECRET: CLIENT.client_secret,
  GATEHOUSE_APP_URL: `http://localhost:${port}`,
});

/** Runs a page's `server.ts`, on a free port of this machine in place of its own. */
async function start(page: "express" | "hono", [listen, instead]: [string, string]): Promise<string> {
  const [file, port] = [join(guides.folder, page, "server.ts"), ports[page]];
  const text = await readFile(file, "utf8");
  expect(text).toContain(listen);
  await writeFile(file, text.replace(listen, instead));
  const program = launch(process.execPath, ["--import", "tsx", file], { cwd: guides.folder, env: variables(port) });
  started.push(program);
  await untilReady(`http://localhost:${port}/`, program);
  return `http://localhost:${port}`;
}

/** A visitor who has signed in from the page of orders. */
async function visitorOf(origin: string) {
  const visitor = newAgent(origin);
  const user = await signIn(issuer, PERSON);
  const asked = new URL((await visitor.open("/orders")).headers.get("location") ?? "");
  const back = new URL((await user.request(asked.pathname + asked.search)).headers.get("location") ?? "");
  expect(JSON.parse((await visitor.open(back.pathname + back.search)).text)).toEqual({
    orders: [],
    of: emailOf(PERSON),
  });
  return visitor;
}

test("PK-65 the code of every page for products compiles", async () => {
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");
  const compiled = promisify(execFile)(process.execPath, [tsc, "--noEmit", "-p", guides.folder]);
  await expect(compiled.catch(({ stdout }) => stdout)).resolves.toMatchObject({ stdout: "" });
});

describe("PK-65 the code runs", () => {
  test.each([
    ["express", ["app.listen(3000)", 'app.listen(process.env.PORT, "localhost")']],
    ["hono", ["port: 3000", 'port: Number(process.env.PORT), hostname: "localhost"']],
  ] as const)(
    "of docs/%s.md: signs a user in and out, and refuses a program without a session",
    async (page, [was, is]) => {
      const origin = await start(page, [was, is.replace("process.env.PORT", String(ports[page]))]);
      const visitor = await visitorOf(origin);
      const refused = await fetch(`${origin}/orders`);
      expect([refused.status, refused.headers.get("content-type")]).toEqual([401, expect.stringContaining("json")]);
      await visitor.post(await visitor.open("/"), { button: "Sign out" });
      expect((await visitor.open("/orders")).headers.get("location")).toContain(`${issuer}/authorize`);
    },
  );

  test("of docs/trpc.md: procedures know who is signed in, and refuse everybody else before they parse", async () => {
    const origin = `http://localhost:${ports.express}`;
    for (const [name, value] of Object.entries(variables(ports.express))) vi.stubEnv(name, value);
    const route = join(guides.folder, "trpc/app/api/trpc/[trpc]/route.ts");
    const { GET, POST } = (await import(route)) as Record<"GET" | "POST", (request: Request) => Promise<Response>>;
    const cookie = [...(await visitorOf(origin)).cookies].map((pair) => pair.join("=")).join("; ");
    const me = (headers: HeadersInit) => GET(new Request(`${origin}/api/trpc/me`, { headers }));
    expect(await (await me({ cookie })).json()).toMatchObject({ result: { data: { email: emailOf(PERSON) } } });
    expect((await me({})).status).toBe(401);
    const rename = (headers: Record<string, string>, body: string) =>
      POST(
        new Request(`${origin}/api/trpc/rename`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body,
        }),
      );
    expect((await rename({}, "{}")).status).toBe(401);
    expect((await rename({ cookie, "sec-fetch-site": "same-site" }, '{"name":"Ada"}')).status).toBe(403);
    expect((await rename({ cookie, "sec-fetch-site": "same-origin" }, "{}")).status).toBe(400);
    expect((await rename({ cookie, "sec-fetch-site": "same-origin" }, '{"name":"Ada"}')).status).toBe(200);
  });

  test("of docs/react.md: a page shows what everybody sees until it knows who is signed in", async () => {
    const { Header } = await import(join(guides.folder, "react/app/header.tsx"));
    const markup = renderToStaticMarkup(createElement(Header));
    expect(markup).toContain("Welcome");
    expect(markup).toContain("What is this?");
  });
});
