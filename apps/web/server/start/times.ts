/** How long each step of this process's start took. `npm start -- --timings` shows them. */
const times: { name: string; seconds: number }[] = [];

/** Runs a step of the start, and notes how long it takes. */
export async function timed<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await act();
  times.push({ name, seconds: (performance.now() - began) / 1000 });
  return result;
}

/**
 * Called when the process listens: tells the process that started this one, if there is a channel to it.
 * `programSeconds`: until `main`.
 */
export function reportStartTimes(programSeconds: number): void {
  if (process.connected)
    process.send?.({ startTimes: [{ name: "load the program", seconds: programSeconds }, ...times] });
}
