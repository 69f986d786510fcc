import { Suspense } from "react";
import { auth } from "../../auth.ts";

export default function Orders() {
  return (
    <Suspense>
      <List />
    </Suspense>
  );
}

async function List() {
  const { user } = await auth.protect();
  return <p>Orders of {user.email}</p>;
}
