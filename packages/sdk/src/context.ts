import type { Jar } from "./cookies/jar.ts";
import type { ProcessState } from "./process-state.ts";
import type { SessionStorage } from "./session/storage.ts";
import type { SessionSettings } from "./settings.ts";

/** What the core works with once its settings are read. */
export type Context = { settings: SessionSettings; state: ProcessState; jar: Jar; storage: SessionStorage };
