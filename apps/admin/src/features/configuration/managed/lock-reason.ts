import { useCanManage } from "@/components/me.tsx";
import type { Environment, Managed } from "@/trpc/types.ts";

/** Why nobody can change the object here; undefined if no file locks it. */
export function lockReason(managed: Managed | null): string | undefined {
  if (!managed?.locked) return undefined;
  return `${managed.file} manages this and locks it. Change the file and apply it, or unlock it here.`;
}

/** Whether the user can change what a file states about an object: their role and the file allow it. CO-02, CO-73. */
export function useCanChange(
  environment: Environment,
  managed: Managed | null,
): { hide: boolean; reason: string | undefined } {
  const { hide, reason } = useCanManage(environment);
  return { hide, reason: reason ?? lockReason(managed) };
}
