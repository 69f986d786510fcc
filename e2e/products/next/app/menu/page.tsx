import Link from "next/link";
import { Suspense } from "react";
import { auth } from "../../auth.ts";
import { Act } from "../act/act.tsx";

/** Prerendered, but for the name of the user. */
export default function Menu() {
  return (
    <main>
      <h1>Menu</h1>
      <Suspense fallback={<p>…</p>}>
        <User />
      </Suspense>
      <Link href="/guarded?tab=1">Guarded</Link> <Link href="/scoped">Scoped</Link>{" "}
      <a href="/auth/sign-in?return_to=/menu">Sign in</a>
      <Act />
      <form method="post" action="/auth/sign-out">
        <button type="submit">Sign out</button>
      </form>
    </main>
  );
}

async function User() {
  const { user } = await auth();
  return <p>{user ? `Signed in as ${user.email}` : "Signed out"}</p>;
}
