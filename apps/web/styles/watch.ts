import { watch } from "node:fs";
import { dirname } from "node:path";
import { sheets, writeAssets } from "./assets.ts";

// Preloaded by the development server, so that a reload shows a changed stylesheet. Watches folders, since editors
// replace files instead of writing to them.
for (const folder of new Set(sheets.map(dirname))) {
  watch(folder, (_, file) => {
    if (file?.endsWith(".css")) writeAssets().catch(console.error);
  }).unref();
}
