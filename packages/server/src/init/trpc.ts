import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Ask } from "./unsure.ts";

/** The product's tRPC. Paths are relative to the project. */
export type Trpc = {
  /** The file with `initTRPC`, and what it calls the result. */
  file: string;
  builder: string;
  /** What makes a router, as the file exports it. */
  routerFactory: string | undefined;
  /** Whether its context has the request's headers, which sessions are read from. */
  hasHeaders: boolean;
  /** The file that exports `appRouter`, if it is written as this command can extend it. */
  root: string | undefined;
};

const SKIPPED = new Set(["node_modules", "dist", "build", "out", "coverage", "public"]);
const SOURCE = /\.[cm]?[jt]sx?$/;
const BUILDER = /\bconst\s+(\w+)\s*=\s*initTRPC\b/;
const FACTORY = /\bexport\s+const\s+(\w+)\s*=\s*\w+\.router\b/;
/** `export const appRouter = createTRPCRouter({`. */
export const APP_ROUTER = /\bexport\s+const\s+appRouter\s*=\s*\w+\(\{/;

/** The project's tRPC, which a file that calls `initTRPC` shows; undefined without one. PK-19 */
export async function findTrpc(project: string, ask: Ask): Promise<Trpc | undefined> {
  const sources = [...sourcesBelow(project)].map((file) => ({ file, text: readFileSync(join(project, file), "utf8") }));
  const found = sources.filter(({ text }) => BUILDER.test(text));
  const [first] = found;
  if (first === undefined) return undefined;
  const file =
    found.length === 1
      ? first.file
      : await askWhich(
          found.map((one) => one.file),
          ask,
        );
  const { text } = found.find((one) => one.file === file) ?? first;
  return {
    file,
    builder: BUILDER.exec(text)?.[1] ?? "t",
    routerFactory: FACTORY.exec(text)?.[1],
    hasHeaders: /\bheaders\b/.test(text),
    root: sources.find((one) => APP_ROUTER.test(one.text))?.file,
  };
}

function* sourcesBelow(project: string, folder = ""): Generator<string> {
  for (const entry of readdirSync(join(project, folder), { withFileTypes: true })) {
    if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesBelow(project, path);
    else if (SOURCE.test(entry.name)) yield relative("", path);
  }
}

function askWhich(files: readonly string[], ask: Ask): Promise<string> {
  return ask({
    title: "Which one serves your users?",
    seen: `Several files call initTRPC: ${files.join(", ")}.`,
    flag: "--trpc",
    choices: files.map((value) => ({ value, label: value })),
  });
}
