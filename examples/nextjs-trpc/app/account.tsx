"use client";

import { Show, SignInButton, UserButton } from "@gatehouse/sdk/react";
import Link from "next/link";

/** The user's name with a menu to sign out, or *Sign in*. */
export function Account() {
  return <UserButton className="account" />;
}

/** What to do first. `Show` hides, it does not protect: the page of the list asks again. */
export function Start() {
  const signIn = (
    <SignInButton returnTo="/books" className="button">
      Sign in to start
    </SignInButton>
  );
  return (
    <Show when="signed-in" fallback={signIn}>
      <Link href="/books" className="button">
        Open your list
      </Link>
    </Show>
  );
}
