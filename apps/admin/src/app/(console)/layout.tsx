import { ModalsProvider } from "@mantine/modals";
import type { ReactNode } from "react";
import { ConsoleShell } from "@/components/console-shell.tsx";
import { MeProvider } from "@/components/me.tsx";
import { MessagePage } from "@/components/message-page.tsx";
import { SignOutButton } from "@/components/sign-out-button.tsx";
import { env } from "@/env.ts";
import { DataProvider } from "@/trpc/client.tsx";
import { currentMe } from "@/trpc/server.tsx";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const me = await currentMe();
  if (!me.can.view) {
    return (
      <MessagePage title="You don’t have access to the console" actions={<SignOutButton />}>
        You’re signed in as {me.user.email}. Ask an admin for the Viewer, Developer or Admin role, then sign in again.
      </MessagePage>
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
