import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "./commands.ts";

/**
 * The commands of a section of docs/webhooks.md, block by block, but the first one, which starts the server. To run in
 * one shell, as a reader types them.
 */
export async function commandsOf(section: string): Promise<string[]> {
  const page = await readFile(join(ROOT, "docs/webhooks.md"), "utf8");
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const [guide = ""] = text.split("\n## ");
  const blocks = [...guide.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = ""]) =>
    block.replaceAll(/^ +/gm, ""),
  );
  expect(blocks[0]).toBe("npm start\n");
  return blocks.slice(1);
}
