import type { Application } from "@/trpc/types.ts";

/** The names of the application's clients, and `added` if it is not registered yet. */
export function clientNamesOf({ clients }: Application, added?: string): string[] {
  const names = [...new Set(clients.map(({ name }) => name))];
  return added === undefined || names.includes(added) ? names : [...names, added];
}
