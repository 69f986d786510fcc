import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "./commands.ts";

/** The pages whose code a reader copies into a product. */
const PAGES = ["sdk", "nextjs", "express", "hono", "trpc", "react", "test-a-product", "forward-webhooks"];
/** Below the package whose dependencies the code uses. */
const FOLDER = join(ROOT, "e2e/.products");
/** Modules that the pages take for granted. */
const OF_READER = {
  "nextjs/languages.ts": "export declare function withLanguages(request: Request): Response;",
  "sdk/database.ts": `type Row = { id: string; value: string; sid: string | null; expiresAt: number };
export declare const sessions: {
  find(id: string): Promise<string | null>;
  save(row: Row): Promise<void>;
  delete(which: Partial<Row>): Promise<void>;
};`,
};
const TSCONFIG = {
  extends: "../../../tsconfig.base.json",
  compilerOptions: { lib: ["ES2023", "DOM", "DOM.Iterable"], noUnusedLocals: false, noUnusedParameters: false },
  include: ["**/*.ts", "**/*.tsx"],
};

/** A block of code, with the file that the line above names: `` `server.ts`: ``. */
const BLOCK = /^([^\n]*:\n\n)?^( *)```(tsx?)\n(.*?)^ *```$/gms;
const NAME = /`([\w./[\]-]+\.tsx?)`[^`]*:$/;

/** Writes the code of the pages into a folder, each page in one of its own. */
export async function writeGuides(): Promise<{ folder: string; remove: () => Promise<void> }> {
  await mkdir(FOLDER, { recursive: true });
  const folder = await mkdtemp(join(FOLDER, "guides-"));
  const files = [...(await Promise.all(PAGES.map(filesOf))).flat(), ...Object.entries(OF_READER)];
  for (const [path, text] of [...files, ["tsconfig.json", JSON.stringify(TSCONFIG)] as const]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function filesOf(page: string): Promise<[path: string, text: string][]> {
  const text = await readFile(join(ROOT, "docs", `${page}.md`), "utf8");
  return [...text.matchAll(BLOCK)].map(([, above = "", indent = "", language, code = ""], at) => {
    const [, name = `block-${at}.${language}`] = NAME.exec(above.trim()) ?? [];
    return [`${page}/${name}`, code.replaceAll(new RegExp(`^${indent}`, "gm"), "")];
  });
}
