import { type FileHandle, open } from "node:fs/promises";

const HASH_DIGITS = 40;
/** No line is longer: a hash, a colon, a count and a line break. */
const MAX_LINE = 64;

/**
 * Looks up a hash in a file of sorted lines, such as `000000005AD76BD555C1D6D771DE417A4B87E4B4:10`; the count is
 * optional. Reads about 35 lines of a file of 40 GB. `hash`: SHA-1 in upper-case hex. Throws if the file cannot be read
 * or has other lines.
 */
export async function isInHashFile(path: string, hash: string): Promise<boolean> {
  const file = await open(path);
  try {
    // The line can only start in [low, high), and low is always the start of one.
    let [low, high] = [0, (await file.stat()).size];
    while (low < high) {
      const line = await lineAround(file, Math.floor((low + high) / 2), low);
      if (line.hash === hash) return true;
      if (line.hash < hash) low = line.end;
      else high = line.start;
    }
    return false;
  } finally {
    await file.close();
  }
}

/** The line that contains the byte at `position`. */
async function lineAround(
  file: FileHandle,
  position: number,
  low: number,
): Promise<{ hash: string; start: number; end: number }> {
  const from = Math.max(low, position - MAX_LINE);
  const buffer = Buffer.alloc(2 * MAX_LINE);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  const text = buffer.toString("latin1", 0, bytesRead);
  const start = position === from ? 0 : text.lastIndexOf("\n", position - from - 1) + 1;
  const newline = text.indexOf("\n", start);
  const end = newline < 0 ? text.length : newline + 1;
  const hash = text.slice(start, start + HASH_DIGITS).toUpperCase();
  if (!/^[0-9A-F]{40}$/.test(hash))
    throw new Error("the file of GATEHOUSE_BREACH_CHECK has a line that does not begin with a SHA-1 hash");
  return { hash, start: from + start, end: from + end };
}
