import type { ProblemReason } from "@gatehouse/sdk/next";
import { Button, Code, Text } from "@mantine/core";
import type { Metadata } from "next";
import { MessagePage } from "@/components/message-page.tsx";

export const metadata: Metadata = { title: "Sign-in failed" };

const MESSAGES: Record<ProblemReason, { title: string; text: string }> = {
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
  looping: {
    title: "We couldn’t keep you signed in",
    text: "You signed in several times, but the session ended each time. Check that your browser keeps the console’s cookies, wait a minute, then try again.",
  },
  too_large: {
    title: "Sign-in failed",
    text: "The session is too large for your browser’s cookies. Please report this: the console’s sessions should always fit.",
  },
  sign_out_incomplete: {
    title: "You’re signed out of the console",
    text: "The Gatehouse server didn’t respond, so the session is still open there until it expires. To end it now, sign in once the server is back, then sign out.",
  },
};

type Query = Partial<Record<"reason" | "again" | "error_id", string | string[]>>;

/** Why a sign-in or a sign-out failed. The query comes from `problemPage`, but anybody can write one. */
export default async function SignInProblem({ searchParams }: { searchParams: Promise<Query> }) {
  const { reason, again, error_id: errorId } = await searchParams;
  const { title, text } = MESSAGES[isReason(reason) ? reason : "failed"];
  return (
    <MessagePage
      title={title}
      actions={
        <Button component="a" href={isSignIn(again) ? again : "/auth/sign-in"}>
          {reason === "sign_out_incomplete" ? "Sign in" : "Try again"}
        </Button>
      }
    >
      {text}
      {isErrorId(errorId) && (
        <Text component="span" display="block" size="sm" mt="sm">
          Error id: <Code>{errorId}</Code>
        </Text>
      )}
    </MessagePage>
  );
}

function isReason(reason: unknown): reason is ProblemReason {
  return typeof reason === "string" && Object.hasOwn(MESSAGES, reason);
}

/** The console's own sign-in, which checks where it leads to. */
const isSignIn = (path: unknown): path is string => typeof path === "string" && path.startsWith("/auth/sign-in?");

const isErrorId = (id: unknown): id is string => typeof id === "string" && /^[\w-]{1,64}$/.test(id);
