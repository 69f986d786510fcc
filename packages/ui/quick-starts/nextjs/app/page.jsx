import { redirect } from "next/navigation";
import { afterSignOut, auth, signIn, signOut } from "../auth";

async function startSignIn() {
  "use server";
  await signIn("__PROVIDER__", { redirectTo: "/" });
}

async function endSession() {
  "use server";
  const next = await afterSignOut();
  await signOut({ redirect: false });
  redirect(next);
}

export default async function Page({ searchParams }) {
  const session = await auth();
  if (session) {
    return (
      <form action={endSession}>
        <p>Signed in as {session.user?.email ?? session.user?.name ?? "a user"}</p>
        <button type="submit">Sign out</button>
      </form>
    );
  }
  const { error, "signed-out": signedOut } = await searchParams;
  return (
    <form action={startSignIn}>
      {error && <p>That sign-in did not finish. Try again.</p>}
      {signedOut && <p>You are signed out of this app, but not of Gatehouse.</p>}
      <button type="submit">Sign in</button>
    </form>
  );
}
