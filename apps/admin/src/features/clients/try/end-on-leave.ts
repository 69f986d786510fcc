/**
 * Ends a run while the page is left, when an ordinary request would be cut off. The run also ends by itself after ten
 * minutes, so a lost request is harmless. CO-42.
 */
export function endOnLeave(ticket: string): void {
  void fetch("/api/trpc/try.end", {
    method: "POST",
    keepalive: true,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ticket }),
  }).catch(() => {});
}
