import { Button } from "@mantine/core";
import type { Metadata } from "next";
import { Standalone } from "@/components/standalone.tsx";
import type { Problem } from "@/session/redirects.ts";

export const metadata: Metadata = { title: "Not signed in" };

const WORDS: Record<Problem, { title: string; text: string }> = {
  unreachable: {
    title: "The Gatehouse server does not answer",
    text: "The console signs in through it. Check that it is running and that GATEHOUSE_ISSUER is its URL, then try again.",
  },
  denied: { title: "You did not sign in", text: "The sign-in was cancelled. Nothing has changed." },
  expired: {
    title: "This sign-in has expired",
    text: "It took too long, was used before, or was started in another browser. Start again; it takes a moment.",
  },
  failed: {
    title: "Sign-in failed",
    text: "The server refused the console. Its log says why; the most likely cause is that server and console were started with different values of GATEHOUSE_SECRET.",
  },
};

export default async function ProblemPage({ searchParams }: { searchParams: Promise<{ reason?: string | string[] }> }) {
  const { reason } = await searchParams;
  const { title, text } = WORDS[isProblem(reason) ? reason : "failed"];
  return (
    <Standalone
      title={title}
      actions={
        <Button component="a" href="/auth/sign-in">
          Try again
        </Button>
      }
    >
      {text}
    </Standalone>
  );
}

function isProblem(reason: unknown): reason is Problem {
  return typeof reason === "string" && Object.hasOwn(WORDS, reason);
}
