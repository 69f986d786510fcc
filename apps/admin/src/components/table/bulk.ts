/** What became of one row: `message` says why it failed. */
export type Verdict = { id: string; ok: boolean; message?: string };

/** Requests at a time: the console's server counts calls per session. */
const AT_A_TIME = 4;

/**
 * Runs `act` for each id, a few at a time. Calls `settled` after each, and starts no more once `signal` is aborted. An error is a verdict:
 * the other rows go on. CO-84.
 */
export async function runForEach(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  { settled, messageOf, signal }: { settled: (verdict: Verdict) => void; messageOf: (error: unknown) => string; signal: AbortSignal },
): Promise<void> {
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
      try {
        await act(id);
        settled({ id, ok: true });
      } catch (error) {
        settled({ id, ok: false, message: messageOf(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}
