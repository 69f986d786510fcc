import { ModalsProvider } from "@mantine/modals";
import type { ReactNode } from "react";
import { ConsoleShell } from "@/components/console-shell.tsx";
import { MeProvider } from "@/components/me.tsx";
import { SignOutButton } from "@/components/sign-out.tsx";
import { Standalone } from "@/components/standalone.tsx";
import { env } from "@/env.ts";
import { DataProvider } from "@/trpc/client.tsx";
import { currentMe } from "@/trpc/server.ts";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const me = await currentMe();
  if (!me.can.view) {
    return (
      <Standalone title="You have no access to the console" actions={<SignOutButton />}>
        You are signed in as {me.user.email}. Ask an admin for the role viewer, developer or admin, then sign in again.
      </Standalone>
    );
  }
  return (
    <DataProvider>
      <MeProvider me={me}>
        <ModalsProvider>
          <ConsoleShell issuer={env().issuer}>{children}</ConsoleShell>
        </ModalsProvider>
      </MeProvider>
    </DataProvider>
  );
}
