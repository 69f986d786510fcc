import { Button } from "@mantine/core";
import type { Metadata } from "next";
import { MessagePage } from "@/components/message-page.tsx";
import type { Problem } from "@/session/redirects.ts";

export const metadata: Metadata = { title: "Sign-in failed" };

const MESSAGES: Record<Problem, { title: string; text: string }> = {
  unreachable: {
    title: "Can’t reach the Gatehouse server",
    text: "You sign in to the console through the server. Check that it is running and that GATEHOUSE_ISSUER is its URL, then try again.",
  },
  denied: {
    title: "Sign-in canceled",
    text: "You didn’t allow the console to sign you in. Try again when you’re ready.",
  },
  expired: {
    title: "This sign-in has expired",
    text: "It took too long, was already used, or started in another browser. Try signing in again.",
  },
  failed: {
    title: "Sign-in failed",
    text: "The server rejected the console’s request. Check the server’s log. The most common cause is that the server and the console use different values of GATEHOUSE_SECRET.",
  },
};

export default async function ProblemPage({ searchParams }: { searchParams: Promise<{ reason?: string | string[] }> }) {
  const { reason } = await searchParams;
  const { title, text } = MESSAGES[isProblem(reason) ? reason : "failed"];
  return (
    <MessagePage
      title={title}
      actions={
        <Button component="a" href="/auth/sign-in">
          Try again
        </Button>
      }
    >
      {text}
    </MessagePage>
  );
}

function isProblem(reason: unknown): reason is Problem {
  return typeof reason === "string" && Object.hasOwn(MESSAGES, reason);
}
