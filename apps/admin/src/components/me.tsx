"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Environment, Me } from "@/trpc/types.ts";

const MeContext = createContext<Me | undefined>(undefined);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** The signed-in user and their permissions. Only for display: the server checks permissions again. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("useMe must be used within MeProvider");
  return me;
}

const ADMIN_ONLY = "Only admins can manage production. Ask an admin to make this change.";

/**
 * Whether the user can change clients of `environment`. With `hide`, their role can change nothing, so controls are not shown.
 * With a `reason`, controls are shown disabled, with that explanation.
 */
export function useCanManage(environment: Environment): { hide: boolean; reason: string | undefined } {
  const { can } = useMe();
  const allowed = environment === "production" ? can.manageProduction : can.manageDevelopment;
  return { hide: !can.manageDevelopment && !can.manageProduction, reason: allowed ? undefined : ADMIN_ONLY };
}
