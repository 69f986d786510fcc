import { auth, signIn, signOut } from "../auth";

const { ISSUER = "http://localhost:3000" } = process.env;

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
        <p>You are not signed in.</p>
        <button type="submit">Sign in with Gatehouse</button>
      </form>
    );
  }
  const headers = { authorization: `Bearer ${session.accessToken}` };
  const response = await fetch(`${ISSUER}/api/resource`, { headers, cache: "no-store" });
  return (
    <>
      <p>Signed in as {session.user?.email}.</p>
      <p>
        GET /api/resource: <strong>{response.status}</strong>
      </p>
      <pre style={{ whiteSpace: "pre-wrap" }}>{await response.text()}</pre>
      {response.status === 401 && <p>Access was revoked. Sign out, then sign in again.</p>}
      <form action={endSession}>
        <button type="submit">Sign out</button>
      </form>
    </>
  );
}
