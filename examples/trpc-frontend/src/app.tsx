import type { ReactNode } from "react";
import { Notes } from "./notes.tsx";
import { signIn, signOut, useSession } from "./session.ts";

export function App() {
  const session = useSession();
  switch (session.state) {
    case "loading":
      return (
        <Frame>
          <p role="status">Loading…</p>
        </Frame>
      );
    case "signed_out":
      return (
        <Frame notice={session.notice}>
          <section className="card">
            <h1>Your notes, wherever you are</h1>
            <p className="muted">Sign in with Gatehouse to read them. This app never sees your password.</p>
            <button type="button" onClick={() => signIn()}>
              Sign in
            </button>
          </section>
        </Frame>
      );
    case "signed_in":
      return (
        <Frame notice={session.notice} email={session.email}>
          <Notes />
        </Frame>
      );
  }
}

function Frame({ notice, email, children }: { notice?: string | undefined; email?: string; children: ReactNode }) {
  return (
    <>
      <header>
        <strong>Notes</strong>
        {email === undefined ? null : (
          <span className="account">
            <span className="muted email">{email}</span>
            <button type="button" className="quiet" onClick={() => signOut()}>
              Sign out
            </button>
          </span>
        )}
      </header>
      <main>
        {notice === undefined ? null : (
          <p className="notice" role="status">
            {notice}
          </p>
        )}
        {children}
      </main>
    </>
  );
}
