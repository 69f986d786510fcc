"use client";

import { createContext, type ReactNode, useContext } from "react";
import { type StartingEnvironment, startingEnvironment } from "./starting-environment.ts";

export type Installation = { issuer: string; version: string };

const InstallationContext = createContext<Installation | undefined>(undefined);

export function InstallationProvider({ installation, children }: { installation: Installation; children: ReactNode }) {
  return <InstallationContext value={installation}>{children}</InstallationContext>;
}

/** What installation this console manages. */
export function useInstallation(): Installation {
  const installation = useContext(InstallationContext);
  if (!installation) throw new Error("useInstallation must be used within InstallationProvider");
  return installation;
}

/** Where lists of one environment's rows start in this installation. */
export function useStartingEnvironment(): StartingEnvironment {
  return startingEnvironment(useInstallation().issuer);
}
