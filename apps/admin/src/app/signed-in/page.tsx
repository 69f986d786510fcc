import { Button } from "@mantine/core";
import type { Metadata } from "next";
import { MessagePage } from "@/components/message-page.tsx";
import { ReportSignIn } from "@/components/session/report-sign-in.tsx";
import { currentMe } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Signed in" };

/** Where a sign-in in a new tab ends: tells the tabs that wait for it who has signed in. CO-87. */
export default async function SignedIn() {
  const { user, freshForSeconds } = await currentMe();
  return (
    <MessagePage
      title="You’re signed in"
      actions={
        <Button component="a" href="/" variant="default">
          Open the console here
        </Button>
      }
    >
      <ReportSignIn userId={user.id} freshForSeconds={freshForSeconds} />
      You’re signed in as {user.email}. Close this tab and go back to the one you were working in.
    </MessagePage>
  );
}
