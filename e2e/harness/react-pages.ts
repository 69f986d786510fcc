import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cookieName } from "@gatehouse/auth";
import { parse } from "node-html-parser";
import { expect } from "vitest";
import type { Answer, HeaderFields } from "./http.ts";

/** Text of the guarded pages alone, so that a test can tell that one was rendered. */
export const MEMBERS_ONLY = "Only members can read this";

type FixturePage = { requires: "public" | "signed_in" | "session"; source: string };

const reading = (path: string, words: string) => `
import { pageSession } from "${"../".repeat(path.split("/").length)}server/pages/react/page-session.ts";
export default async function Page() {
  const session = await pageSession("${path}");
  return <p>${words}: {session?.user.email ?? "nobody"}</p>;
}
`;

/** A React page for each requirement. The open `/careless` reads the session of a page that requires one. */
const PAGES: Record<string, FixturePage> = {
  "/for-anybody": { requires: "public", source: reading("/for-anybody", "Anybody can read this") },
  "/for-members": { requires: "signed_in", source: reading("/for-members", MEMBERS_ONLY) },
  "/for-members/[id]": { requires: "signed_in", source: reading("/for-members/[id]", MEMBERS_ONLY) },
  "/for-members/open": { requires: "public", source: reading("/for-members/open", "Anybody can read this") },
  "/for-programs": { requires: "session", source: reading("/for-programs", MEMBERS_ONLY) },
  "/careless": {
    requires: "public",
    source: reading("/careless", MEMBERS_ONLY).replace(`"/careless"`, `"/for-members"`),
  },
};

/** Route handlers that nothing but their file and their line in the policy table makes known. */
const HANDLERS: Record<string, string> = { "/new-endpoint": "public", "/new-endpoint/[id]": "session" };

const handler = (path: string) => `
import { json } from "${"../".repeat(path.split("/").length)}server/pages/responses/respond.ts";
import { route } from "${"../".repeat(path.split("/").length)}server/routing/route.ts";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("${path}", { GET: ({ params }) => json({ path: "${path}", params }) });
`;

/** A route handler that leaves a rejected promise behind. */
export const STRAY = "/stray";
const stray = handler(STRAY)
  .replace("export", 'const leave = (): undefined => void Promise.reject(new Error("nobody waits"));\nexport')
  .replace("=> json", "=> leave() ?? json");

/**
 * Adds React pages of every kind, and new route handlers too, to a clone: their files, and their lines in the product's
 * policy table.
 */
export async function addReactPages(clone: string): Promise<void> {
  const app = join(clone, "apps/web/app");
  const write = async (path: string, file: string, source: string) => {
    await mkdir(join(app, path), { recursive: true });
    await writeFile(join(app, path, file), source);
  };
  for (const [path, { source }] of Object.entries(PAGES)) await write(path, "page.tsx", source);
  for (const path of Object.keys(HANDLERS)) await write(path, "route.ts", handler(path));
  await write(STRAY, "route.ts", stray);

  const table = join(clone, "packages/product/src/policies.ts");
  const lines = [
    ...Object.entries(PAGES).map(
      ([path, { requires }]) => `  "${path}": { requires: "${requires}", kind: "react" },\n`,
    ),
    ...Object.entries({ ...HANDLERS, [STRAY]: "public" }).map(
      ([path, requires]) => `  "${path}": { requires: "${requires}", kind: "endpoint" },\n`,
    ),
  ];
  const text = await readFile(table, "utf8");
  await writeFile(
    table,
    text.replace("} as const satisfies", () => `${lines.join("")}} as const satisfies`),
  );
}

/** A page as Next's router requests it: a navigation, a prefetch, a prefetch of one segment. */
export const RSC: [string, HeaderFields][] = [
  ["a navigation", { rsc: "1" }],
  ["a prefetch", { rsc: "1", "next-router-prefetch": "1" }],
  ["a prefetch of the tree", { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" }],
  [
    "a prefetch of the page",
    { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/for-members/__PAGE__" },
  ],
];

/** Every known way to write the address of /for-members, or to reach it by another. */
export const SPELLINGS = [
  "/for-members/",
  "//for-members",
  "/FOR-MEMBERS",
  "/%66or-members",
  "/for-members%2F",
  "/./for-members",
  "/sign-in/../for-members",
  "/sign-in/%2e%2e/for-members",
  "/for-members?_rsc=1a2b3",
  "/for-members?nxtPid=7",
  "/for-members.rsc",
  "/for-members.rsc?_rsc=1a2b3",
  "/for-members.prefetch.rsc",
  "/for-members.segments/_tree.segment.rsc",
  "/for-members.segments/for-members/__PAGE__.segment.rsc",
  "/for-members.html",
  "/for-members.txt",
  "/for-members.json",
  "/for-members/index",
  "/for-members/7",
  "/for-members/7/",
  "/for-members/%37",
  "/for-members/7%2Fitems",
  "/for-members/OPEN",
  "/for-members/%6fpen",
  "/for-members/open%2F7",
  "/for-members/[id]",
  "/_next/static/../../for-members",
  "/_next/static/..%2f..%2ffor-members",
  "/_next/static/%2e%2e/%2e%2e/for-members",
  "/_next/../for-members",
  "/_next/data/build/for-members.json",
  "/_next/image?url=%2Ffor-members&w=64&q=75",
  "/favicon.ico/../for-members",
  "http://evil.test/for-members",
];

const CHAIN = (name: string) => Array(5).fill(name).join(":");

/** Internal headers of Next, and of servers in front of it. */
const SESSION = "the session cookie";

/** The headers of {@link HEADERS} with the name that the session cookie has there. */
export const headersAt = (issuer: string, headers: HeaderFields): HeaderFields =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replace(SESSION, cookieName("session", { issuer })) : value,
    ]),
  );

export const HEADERS: HeaderFields[] = [
  { "x-middleware-subrequest": CHAIN("middleware") },
  { "x-middleware-subrequest": CHAIN("src/middleware") },
  { "x-middleware-subrequest": CHAIN("proxy") },
  { "x-middleware-next": "1" },
  { "x-middleware-rewrite": "/for-members" },
  { "x-middleware-skip": "1" },
  { "x-middleware-override-headers": "cookie", "x-middleware-request-cookie": `${SESSION}=gse_x` },
  { "x-middleware-set-cookie": `${SESSION}=gse_x` },
  { "x-nextjs-data": "1" },
  { "x-matched-path": "/for-members" },
  { "x-invoke-path": "/for-members", "x-invoke-output": "/for-members", "x-invoke-status": "200" },
  { "x-now-route-matches": "1=for-members" },
  { "x-next-resume-state-length": "1" },
  { "next-resume": "1" },
  { "next-action": "0".repeat(40) },
  { "x-original-url": "/for-members", "x-rewrite-url": "/for-members" },
  { "x-forwarded-host": "localhost", forwarded: "host=localhost" },
  { "x-gatehouse-session": "ada", "x-gatehouse-user": "ada", authorization: "Bearer gse_x" },
  { cookie: `${SESSION}=gse_x` },
  { purpose: "prefetch", "sec-purpose": "prefetch" },
];

/** The visible text of a page, without the comments that React inserts. */
export function words(answer: Answer): string {
  return parse(answer.text).text;
}

/** The nonce of a page's content security policy. */
export function nonceOf(answer: Answer): string {
  const policy = answer.headers.get("content-security-policy") ?? "";
  return /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policy)?.[1] ?? `no nonce in ${policy}`;
}

/** The headers of every page: not to be stored, framed or leaked. */
export function expectHeadersOfAPage({ headers }: Answer): void {
  expect(headers.get("cache-control")).toContain("no-store");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("permissions-policy")).toContain("camera=()");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
}
