"use client";

import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";

const RemovalNotice = dynamic(() => import("./removal-notice.tsx").then((module) => module.RemovalNotice), {
  loading: () => null,
});

/**
 * On the page that the user sees after removing something, which is in the URL as `removed`: what it was, and Undo.
 * CO-78.
 */
export function UndoRemoval() {
  const id = useSearchParams().get("removed");
  return id === null ? null : <RemovalNotice key={id} id={id} />;
}
