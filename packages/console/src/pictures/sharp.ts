/** All that sharp may decode, whatever the first bytes of a file say. */
const LOADERS = ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer", "VipsForeignLoadWebpBuffer"];

let loaded: ReturnType<typeof load> | undefined;

/** Loads sharp with the first picture: a server that gets none needs neither its memory nor its time. */
export function loadSharp() {
  loaded ??= load();
  return loaded;
}

async function load() {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}
