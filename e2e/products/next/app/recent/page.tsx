import { Suspense } from "react";
import { auth } from "../../auth.ts";

export default function Recent() {
  return (
    <main>
      <h1>Recent</h1>
      <Suspense fallback={<p>…</p>}>
        <User />
      </Suspense>
    </main>
  );
}

async function User() {
  const { user, scope } = await auth.protect({ maxAge: 60 });
  return (
    <p>
      Only for {user.email}, with {scope.join(" ")}
    </p>
  );
}
