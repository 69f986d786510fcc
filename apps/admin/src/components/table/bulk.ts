/** What became of one row: `message` says why it failed. */
export type Verdict = { id: string; ok: boolean; message?: string };

/** Requests at a time: the console's server counts calls per session. */
const AT_A_TIME = 4;

type Running = {
  settled: (verdict: Verdict) => void;
  messageOf: (error: unknown) => string;
  /**
   * The seconds to wait if the console's server refused a call because the session sent too many; undefined for any
   * other error.
   */
  retryAfterOf: (error: unknown) => number | undefined;
  signal: AbortSignal;
};

/**
 * Runs `act` for each id, a few at a time. Calls `settled` after each, and starts no more once `signal` is aborted. An
 * error is a verdict: the other rows continue. A row that came too soon for the rate limit waits and runs again. CO-84,
 * CO-94.
 */
export async function runForEach(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  { settled, messageOf, retryAfterOf, signal }: Running,
): Promise<void> {
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
      try {
        await act(id);
        settled({ id, ok: true });
      } catch (error) {
        const seconds = retryAfterOf(error);
        if (seconds === undefined) settled({ id, ok: false, message: messageOf(error) });
        else {
          waiting.unshift(id);
          await elapsed(seconds, signal);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

/** Resolves after so many seconds, or as soon as `signal` is aborted. */
function elapsed(seconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal.addEventListener("abort", end);
  });
}
