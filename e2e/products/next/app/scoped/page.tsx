import { Suspense } from "react";
import { auth } from "../../auth.ts";

export default function Scoped() {
  return (
    <main>
      <h1>Scoped</h1>
      <Suspense fallback={<p>…</p>}>
        <User />
      </Suspense>
    </main>
  );
}

async function User() {
  const { user, scope } = await auth.protect({ scope: "api:admin" });
  return (
    <p>
      Only for {user.email}, with {scope.join(" ")}
    </p>
  );
}
