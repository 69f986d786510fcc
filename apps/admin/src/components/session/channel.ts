"use client";

/** Sent by the tab in which somebody signed in. */
export type SignedIn = { userId: string; freshForSeconds: number };

const NAME = "gatehouse:session";

/** Tells the console's other tabs who has signed in. */
export function announceSignIn(signedIn: SignedIn): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(signedIn);
  channel.close();
}

/** Calls `listener` when somebody signs in in another tab. Returns a function that stops it. */
export function onSignIn(listener: (signedIn: SignedIn) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<SignedIn>) => listener(data);
  return () => channel.close();
}
