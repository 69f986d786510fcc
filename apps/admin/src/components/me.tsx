"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { Environment, Me } from "@/trpc/types.ts";
import { onSignIn } from "./session/channel.ts";
import { reloadForOtherUser } from "./session/other-user.ts";
import { signInDone } from "./session/sign-in-again.ts";

const MeContext = createContext<Me | undefined>(undefined);
const FreshUntilContext = createContext(0);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  const [freshUntilMs, setFreshUntilMs] = useState(() => Date.now() + me.freshForSeconds * 1000);
  const userId = me.user.id;
  useEffect(
    () =>
      onSignIn((signedIn) => {
        if (signedIn.userId !== userId) return reloadForOtherUser();
        setFreshUntilMs(Date.now() + signedIn.freshForSeconds * 1000);
        signInDone();
      }),
    [userId],
  );
  return (
    <MeContext value={me}>
      <FreshUntilContext value={freshUntilMs}>{children}</FreshUntilContext>
    </MeContext>
  );
}

/** Until when the sign-in is fresh enough for sensitive changes, in milliseconds of this browser's clock. */
export function useFreshUntil(): number {
  return useContext(FreshUntilContext);
}

/** The signed-in user and their permissions. Only for display: the server checks permissions again. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("useMe must be used within MeProvider");
  return me;
}

const ADMIN_ONLY = "Only admins can manage production. Ask an admin to make this change.";

/**
 * Whether the user can change clients of `environment`. With `hide`, their role can change nothing, so controls are not
 * shown. With a `reason`, controls are shown disabled, with that explanation.
 */
export function useCanManage(environment: Environment): { hide: boolean; reason: string | undefined } {
  const { can } = useMe();
  const allowed = environment === "production" ? can.manageProduction : can.manageDevelopment;
  return { hide: !can.manageDevelopment && !can.manageProduction, reason: allowed ? undefined : ADMIN_ONLY };
}
