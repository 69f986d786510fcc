import { Button } from "@mantine/core";
import type { Metadata } from "next";
import { MessagePage } from "@/components/message-page.tsx";

export const metadata: Metadata = { title: "Signed out" };
export const dynamic = "force-dynamic";

export default function SignedOut() {
  return (
    <MessagePage
      title="You’re signed out"
      actions={
        <>
          <Button component="a" href="/auth/sign-in">
            Sign in
          </Button>
          <Button component="a" href="/auth/sign-in?prompt=login" variant="default">
            Use another account
          </Button>
        </>
      }
    >
      You’ve signed out of the console. You may still be signed in to other applications.
    </MessagePage>
  );
}
