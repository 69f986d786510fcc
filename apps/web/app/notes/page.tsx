import { pageApi } from "../../server/pages/react/page-api.ts";
import { pageSession } from "../../server/pages/react/page-session.ts";
import { Notes } from "./notes.tsx";

export default async function NotesPage() {
  const { user } = await pageSession("/notes");
  const api = await pageApi();
  return (
    <section className="card">
      <div className="heading">
        <h1>Notes</h1>
        <p className="small">
          Only you can see them. Signed in as <bdi>{user.email}</bdi>.
        </p>
      </div>
      <Notes first={await api.notes.list()} />
    </section>
  );
}
