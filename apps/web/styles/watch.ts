import { watch } from "node:fs";
import { dirname } from "node:path";
import { sheets, writeAssets } from "./assets.ts";

// Preloaded by the development server: a changed stylesheet is there at the next reload. Folders are watched, since editors
// replace files instead of writing into them.
for (const folder of new Set(sheets.map(dirname))) {
  watch(folder, (_, file) => {
    if (file?.endsWith(".css")) writeAssets().catch(console.error);
  }).unref();
}
