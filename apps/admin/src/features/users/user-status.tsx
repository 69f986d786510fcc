import { StatusDot } from "@/components/status-dot.tsx";
import type { User } from "@/trpc/types.ts";

/** What an admin has to know about an account first. */
export function UserStatus({ user: { disabledAt, deleteAfter, registeredBy, emailVerifiedAt } }: { user: User }) {
  if (disabledAt !== null) return <StatusDot tone="bad">Disabled</StatusDot>;
  if (deleteAfter !== null) return <StatusDot tone="soon">Deletion requested</StatusDot>;
  if (registeredBy !== "operator" && emailVerifiedAt === null) return <StatusDot tone="soon">Not verified</StatusDot>;
  return <StatusDot tone="good">Active</StatusDot>;
}
