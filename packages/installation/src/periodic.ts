export type Periodic = ReturnType<typeof createPeriodic>;

/** Work that repeats while the process serves. `report` receives failures; the next run tries again. */
export function createPeriodic(report: (error: unknown, failure: string) => void) {
  const timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();
  let stopped = false;

  function run(work: () => Promise<unknown>, failure: string): void {
    if (stopped) return;
    const done = work().then(
      () => {},
      (error: unknown) => report(error, failure),
    );
    running.add(done);
    void done.finally(() => running.delete(done));
  }

  return {
    /** Runs the work once, now. Does not wait for it. */
    run,
    /** Runs the work every so many milliseconds. */
    every(milliseconds: number, work: () => Promise<unknown>, failure: string): void {
      timers.push(setInterval(() => run(work, failure), milliseconds).unref());
    },
    /** Starts no more work. */
    stop(): void {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
    },
    /** Waits for running work. */
    async settled(): Promise<void> {
      await Promise.all(running);
    },
  };
}
