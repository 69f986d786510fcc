import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildScripts } from "../browser/build.ts";

const resolve = createRequire(import.meta.url).resolve;
const here = fileURLToPath(new URL(".", import.meta.url));
const assets = join(here, "../public/assets");
const fonts = join(resolve("@fontsource-variable/inter/package.json"), "../files");

/** The parts of the stylesheet, in order. */
const sheets = [
  join(here, "fonts.css"),
  resolve("@gatehouse/ui/tokens.css"),
  resolve("@gatehouse/product/brand.css"),
  join(here, "pages.css"),
];

/**
 * Writes the files that pages load to public/assets: the stylesheet, the script, the icon, and the self-hosted font
 * (SE-14).
 */
export async function writeAssets(): Promise<void> {
  await mkdir(assets, { recursive: true });
  const css = await Promise.all(sheets.map((sheet) => readFile(sheet, "utf8")));
  await writeFile(join(assets, "pages.css"), css.join("\n"));
  for (const subset of ["latin", "latin-ext"]) {
    await copyFile(join(fonts, `inter-${subset}-wght-normal.woff2`), join(assets, `inter-${subset}.woff2`));
  }
  await buildScripts(assets);
  await copyFile(resolve("@gatehouse/product/icon.svg"), join(assets, "icon.svg"));
}

await writeAssets();
