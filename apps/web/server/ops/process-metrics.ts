import { readdirSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { metrics, onSnapshot } from "@gatehouse/runtime/metrics";

const NANOSECONDS = 1e9;
/** How often the delay of the event loop is sampled. */
const RESOLUTION_MS = 20;
const PERCENTILES = [50, 99, 100];

/** Measures this process: CPU, memory, file descriptors, and how late its event loop is. Without an observer of GC. */
export function measureProcess(): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const startedAt = Math.floor(Date.now() / 1000 - process.uptime());
  const maxFds = readMaxFds();
  let counted = 0;

  onSnapshot(() => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    metrics.processCpu.series().add(seconds - counted);
    counted = seconds;
    const { rss, heapUsed } = process.memoryUsage();
    metrics.processMemory.series().set(rss);
    metrics.processHeap.series().set(heapUsed);
    metrics.processStart.series().set(startedAt);
    const fds = countFds();
    if (fds !== undefined) metrics.processFds.series().set(fds);
    if (maxFds !== undefined) metrics.processMaxFds.series().set(maxFds);
    for (const percentile of PERCENTILES) {
      // The timer of the monitor is itself on time after its interval.
      const late = Math.max(0, delay.percentile(percentile) / NANOSECONDS - RESOLUTION_MS / 1000);
      metrics.eventLoopDelay.series(percentile === 100 ? "max" : String(percentile)).set(late);
    }
    delay.reset();
  });
}

/** Undefined where there is no /proc. */
function countFds(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}

function readMaxFds(): number | undefined {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]) || undefined;
  } catch {
    return undefined;
  }
}
