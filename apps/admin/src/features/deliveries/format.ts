/** "2.3 kB"; a dash when the size is unknown because reading stopped early. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return "–";
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

/** "40 ms". */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1 ? "< 1 ms" : `${Math.round(milliseconds)} ms`;
}

/** Cuts a long text in the middle, where ids are least telling: "evt_1Q2w…9f3a". */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = Math.floor((length - 1) / 3);
  return `${text.slice(0, length - 1 - tail)}…${text.slice(-tail)}`;
}
