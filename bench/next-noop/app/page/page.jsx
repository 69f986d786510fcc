/** A static page of about the size of a sign-in form. */
export default function Page() {
  return (
    <form method="post">
      <h1>Sign in</h1>
      <label>
        Email <input name="email" type="email" />
      </label>
      <label>
        Password <input name="password" type="password" />
      </label>
      <button type="submit">Sign in</button>
    </form>
  );
}
