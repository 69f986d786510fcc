import { auth } from "../auth";

export default async function Page() {
  const { user } = await auth();
  if (user === null) return <a href="__AUTH_PATH__/sign-in">Sign in</a>;
  return (
    <form method="post" action="__AUTH_PATH__/sign-out">
      <p>Signed in as {user.email ?? user.name ?? "a user"}</p>
      <button type="submit">Sign out</button>
    </form>
  );
}
