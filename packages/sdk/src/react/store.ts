import type { User } from "../session/session.ts";

/** Who is signed in. `unavailable`: neither the app nor its server could say. */
export type UserState =
  | { status: "signed-in"; user: User }
  | { status: "loading" | "signed-out" | "unavailable"; user: null };

export const LOADING: UserState = { status: "loading", user: null };

/** A sign-out takes a moment on the server: other tabs look again after these times. */
const AFTER_LEAVING_MS = [150, 400, 800];
/** `sessionLink` says so when a call was refused. */
const REFUSED_EVENT = "gatehouse:refused";

type Store = {
  subscribe(listener: () => void): () => void;
  current(): UserState;
  refresh(): Promise<void>;
  /** Tells other tabs that this one is about to sign out. */
  leave(): void;
};

const stores = new Map<string, Store>();

/** The state of this page, shared by everything that asks: one request however many hooks there are. PK-55. */
export function storeOf(path: string): Store {
  const known = stores.get(path);
  if (known) return known;
  const store = createStore(path);
  stores.set(path, store);
  return store;
}

/** Asks again who is signed in, after a refused request for example. `path`: where the handlers are. */
export const refreshUser = (path = "/auth"): Promise<void> => storeOf(path).refresh();

const idOf = ({ user }: UserState) => user?.id ?? null;

function createStore(path: string): Store {
  const listeners = new Set<() => void>();
  let state = LOADING;
  let pending: Promise<void> | undefined;
  let channel: BroadcastChannel | undefined;

  function set(next: UserState): void {
    // What is known is shown until something else is known.
    if (next.status === "unavailable" && state.user) return;
    const isNews = state.status !== next.status || idOf(state) !== idOf(next);
    if (JSON.stringify(state) !== JSON.stringify(next)) {
      state = next;
      for (const listener of listeners) listener();
    }
    if (isNews && next.status !== "unavailable") channel?.postMessage({ id: idOf(next) });
  }

  const refresh = () => {
    pending ??= read(path)
      .then(set)
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  const onFocus = () => void (document.visibilityState === "visible" && refresh());
  const onMessage = ({ data }: MessageEvent<{ id?: string | null; leaving?: true }>) => {
    if (data.leaving) for (const wait of AFTER_LEAVING_MS) setTimeout(refresh, wait);
    else if (data.id !== idOf(state)) void refresh();
  };

  function start(): void {
    channel = new BroadcastChannel(`gatehouse ${path}`);
    channel.onmessage = onMessage;
    addEventListener("focus", onFocus);
    addEventListener(REFUSED_EVENT, onFocus);
    document.addEventListener("visibilitychange", onFocus);
    void refresh();
  }

  function stop(): void {
    channel?.close();
    channel = undefined;
    removeEventListener("focus", onFocus);
    removeEventListener(REFUSED_EVENT, onFocus);
    document.removeEventListener("visibilitychange", onFocus);
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) start();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    current: () => state,
    refresh,
    leave() {
      const told = channel ?? new BroadcastChannel(`gatehouse ${path}`);
      told.postMessage({ leaving: true });
      if (told !== channel) told.close();
    },
  };
}

async function read(path: string): Promise<UserState> {
  try {
    const response = await fetch(`${path}/session`, { credentials: "same-origin", cache: "no-store" });
    const { status, user } = (await response.json()) as UserState;
    if (status === "signed-in" && user) return { status, user };
    if (response.ok && status === "signed-out") return { status, user: null };
  } catch {
    // No answer, or none of the handler's.
  }
  return { status: "unavailable", user: null };
}
