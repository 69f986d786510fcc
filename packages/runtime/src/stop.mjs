import { configurationError } from "./configuration-error.mjs";

const SIGNALS = ["SIGTERM", "SIGINT"];
const LOOK_FOR_PARENT_EVERY_MS = 500;
const [DRAIN_SECONDS, STOP_SECONDS] = [5, 25];

export function onStop(stop, { reloads = false } = {}) {
  let asked = false;
  const once = () => {
    if (asked) return;
    asked = true;
    stop();
  };
  for (const signal of reloads ? SIGNALS : [...SIGNALS, "SIGHUP"]) process.on(signal, once);
  process.once("disconnect", once);
  if (/^(start|dev|demo)(:|$)/.test(process.env.npm_lifecycle_event ?? "")) whenParentEnds(once);
}

export function readPatience(variables, { onLoopback }) {
  const drainSeconds = readSeconds(variables, "GATEHOUSE_DRAIN_SECONDS", onLoopback ? 0 : DRAIN_SECONDS);
  const stopSeconds = readSeconds(variables, "GATEHOUSE_STOP_SECONDS", Math.max(STOP_SECONDS, drainSeconds + 1));
  if (stopSeconds <= drainSeconds)
    throw configurationError(
      `GATEHOUSE_STOP_SECONDS (${stopSeconds}) must be greater than GATEHOUSE_DRAIN_SECONDS (${drainSeconds})`,
    );
  return { drainSeconds, stopSeconds };
}

function readSeconds(variables, name, fallback) {
  const value = variables[name];
  if (value === undefined || value === "") return fallback;
  if (!/^\d{1,4}$/.test(value) || Number(value) > 3600)
    throw configurationError(`${name} must be a number of seconds from 0 to 3600, but is "${value}"`);
  return Number(value);
}

/** A shell between npm and this process exits on a signal without forwarding it, and npm itself may be killed. */
function whenParentEnds(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, LOOK_FOR_PARENT_EVERY_MS);
  timer.unref();
}
