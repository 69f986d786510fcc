import { auth, signIn, signOut } from "../auth";

async function startSignIn() {
  "use server";
  await signIn("gatehouse");
}

async function endSession() {
  "use server";
  await signOut();
}

export default async function Page() {
  const session = await auth();
  if (!session) {
    return (
      <form action={startSignIn}>
        <button type="submit">Sign in</button>
      </form>
    );
  }
  return (
    <form action={endSession}>
      <p>Signed in as {session.user?.email}.</p>
      <button type="submit">Sign out</button>
    </form>
  );
}
