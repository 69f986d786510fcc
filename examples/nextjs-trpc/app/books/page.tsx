import { Suspense } from "react";
import { auth } from "../../auth";
import { shelfOf } from "../../server/shelf";
import { setGoal } from "./actions";
import { Books } from "./books";

export default function BooksPage() {
  return (
    <Suspense fallback={<p className="quiet">Loading…</p>}>
      <Shelf />
    </Suspense>
  );
}

async function Shelf() {
  const { user } = await auth.protect();
  const { goal } = shelfOf(user.id);
  return (
    <>
      <h1>Books of {user.name ?? user.email ?? "yours"}</h1>
      <form action={setGoal} className="goal">
        <label htmlFor="goal">Books to read this year</label>
        <input id="goal" name="goal" type="number" min={1} max={100} defaultValue={goal} required />
        <button type="submit">Save</button>
      </form>
      <Books goal={goal} />
    </>
  );
}
