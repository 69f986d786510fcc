"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Environment, Me } from "@/trpc/types.ts";

const MeContext = createContext<Me | undefined>(undefined);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** Who is signed in and what they may do. The server decides again; this only chooses what to show. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("useMe is used outside the console's layout");
  return me;
}

export const ADMIN_ONLY = "Only admins manage production. Ask an admin to make this change.";

/**
 * May this person change clients of `environment`?
 * `hide`: their role changes nothing at all, so no control is shown · `reason`: the control is shown, disabled, and says why.
 */
export function useMayManage(environment: Environment): { hide: boolean; reason: string | undefined } {
  const { can } = useMe();
  const allowed = environment === "production" ? can.manageProduction : can.manageDevelopment;
  return { hide: !can.manageDevelopment && !can.manageProduction, reason: allowed ? undefined : ADMIN_ONLY };
}
