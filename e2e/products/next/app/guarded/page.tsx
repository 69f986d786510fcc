import { Suspense } from "react";
import { auth } from "../../auth.ts";
import { Act } from "../act/act.tsx";
export default function Guarded() {
  return (
    <main>
      <h1>Members only</h1>
      <Suspense fallback={<p>…</p>}>
        <User />
      </Suspense>
      <Act />
    </main>
  );
}

async function User() {
  const { user, scope } = await auth.protect();
  return (
    <p>
      Only for {user.email}, with {scope.join(" ")}
    </p>
  );
}
