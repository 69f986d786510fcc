import { ModalsProvider } from "@mantine/modals";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ConsoleShell } from "@/components/console-shell.tsx";
import { DemoNotice } from "@/components/demo-notice.tsx";
import { readSidebar, SIDEBAR_COOKIE } from "@/components/frame/sidebar-state.ts";
import { InstallationProvider } from "@/components/installation.tsx";
import { MeProvider } from "@/components/me.tsx";
import { MessagePage } from "@/components/message-page.tsx";
import { SignOutButton } from "@/components/sign-out-button.tsx";
import { env } from "@/env.ts";
import { MailAlarm } from "@/features/mail/mail-alarm.tsx";
import { DataProvider } from "@/trpc/client.tsx";
import { currentMe } from "@/trpc/server.tsx";
import { version } from "../../../package.json";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const me = await currentMe();
  if (!me.can.view) {
    return (
      <MessagePage title="You don’t have access to the console" actions={<SignOutButton />}>
        You’re signed in as {me.user.email}. Ask an admin for the Viewer, Developer or Admin role, then sign in again.
      </MessagePage>
    );
  }
  const sidebar = readSidebar((await cookies()).get(SIDEBAR_COOKIE)?.value);
  return (
    <DataProvider userId={me.user.id}>
      <MeProvider me={me}>
        <InstallationProvider installation={{ issuer: env().issuer, version }}>
          <ModalsProvider>
            <ConsoleShell sidebar={sidebar} alarm={me.demo ? <DemoNotice /> : <MailAlarm />}>
              {children}
            </ConsoleShell>
          </ModalsProvider>
        </InstallationProvider>
      </MeProvider>
    </DataProvider>
  );
}
