import { closeSync, openSync } from "node:fs";

const RELOAD = "reload";

export function onReload(reload) {
  const hadTerminal = hasTerminal();
  process.on("SIGHUP", () => {
    const isClosed = process.platform === "win32" || (hadTerminal && !hasTerminal());
    if (!isClosed) return reload();
    if (!process.emit("SIGTERM", "SIGTERM")) process.exit(1);
  });
  process.on("message", (message) => {
    if (message === RELOAD) reload();
  });
}

export function tellToReload(child) {
  if (child.connected) child.send(RELOAD);
}

/** A process without one cannot open this device. */
function hasTerminal() {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
