import { Button } from "@mantine/core";
import type { Metadata } from "next";
import { Standalone } from "@/components/standalone.tsx";

export const metadata: Metadata = { title: "Signed out" };
export const dynamic = "force-dynamic";

export default function SignedOut() {
  return (
    <Standalone
      title="You are signed out of the console"
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
      The console&rsquo;s tokens are revoked. You may still be signed in to other applications.
    </Standalone>
  );
}
