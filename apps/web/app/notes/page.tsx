import { branding } from "@gatehouse/product/branding";
import type { Metadata } from "next";
import { pageApi } from "../../server/pages/react/page-api.ts";
import { pageSession } from "../../server/pages/react/page-session.ts";
import { Notes } from "./notes.tsx";

export const metadata: Metadata = { title: `Notes · ${branding.name}` };

export default async function NotesPage() {
  await pageSession("/notes");
  const api = await pageApi();
  return (
    <>
      <div className="heading">
        <h1>Notes</h1>
        <p>Only you can see them.</p>
      </div>
      <Notes first={await api.notes.list()} />
    </>
  );
}
