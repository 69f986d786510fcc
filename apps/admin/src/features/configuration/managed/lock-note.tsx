"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import type { Managed } from "@/trpc/types.ts";
import type { LockProps } from "./lock-alert.tsx";

/** Few objects are managed by a file, so their pages alone load it. */
const LockAlert = dynamic(() => import("./lock-alert.tsx").then((module) => module.LockAlert), {
  loading: () => <Skeleton height={62} />,
});

/**
 * Says that a file locks the object, with the button that unlocks it, or that somebody unlocked it; nothing otherwise.
 * CO-73.
 */
export function LockNote({ managed, ...props }: Omit<LockProps, "managed"> & { managed: Managed | null }) {
  if (!managed || (!managed.locked && managed.unlockedAt === null)) return null;
  return <LockAlert managed={managed} {...props} />;
}
