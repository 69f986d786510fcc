import type { RouterOutputs } from "@gatehouse/product/types";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type ApiError, messageOf, useTRPC } from "./api.tsx";
import { signIn } from "./session.ts";

type Note = RouterOutputs["notes"]["list"]["items"][number];

export function Notes() {
  return (
    <section className="card">
      <h1>Your notes</h1>
      <NewNote />
      <NoteList />
    </section>
  );
}

function NoteList() {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.notes.list.infiniteQueryOptions({}, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  );
  if (list.isPending) {
    return (
      <div className="skeleton" role="status" aria-label="Loading your notes">
        <span />
        <span />
        <span />
      </div>
    );
  }
  if (list.isError) return <Problem error={list.error} retry={() => list.refetch()} />;

  const notes = list.data.pages.flatMap(({ items }) => items);
  if (notes.length === 0) return <p className="empty muted">No notes yet. Write your first one above.</p>;
  return (
    <>
      <ul aria-label="Notes">
        {notes.map((note) => (
          <NoteRow key={note.id} note={note} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <button type="button" className="quiet" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {list.isFetchingNextPage ? "Loading…" : "Show more"}
        </button>
      ) : null}
    </>
  );
}

function useRefresh(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.notes.list.infiniteQueryFilter());
}

/** Keeps the text while the user is at Gatehouse to allow the app more. */
const DRAFT = "draft";

function NewNote() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [text, setText] = useState(() => sessionStorage.getItem(DRAFT) ?? "");
  const create = useMutation(
    trpc.notes.create.mutationOptions({
      async onSuccess() {
        change("");
        await refresh();
      },
    }),
  );
  const change = (draft: string) => {
    sessionStorage.setItem(DRAFT, draft);
    setText(draft);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ text });
  };
  return (
    <form onSubmit={submit}>
      <label htmlFor="text">New note</label>
      <textarea
        id="text"
        rows={3}
        maxLength={2000}
        required
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      {create.error ? <Problem error={create.error} /> : null}
      <button type="submit" disabled={create.isPending || text.trim() === ""}>
        {create.isPending ? "Adding…" : "Add note"}
      </button>
    </form>
  );
}

function NoteRow({ note: { id, text, createdAt } }: { note: Note }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const remove = useMutation(trpc.notes.remove.mutationOptions({ onSuccess: refresh }));
  const at = new Date(createdAt * 1000);
  return (
    <li>
      <div>
        <p className="text">{text}</p>
        <time className="muted" dateTime={at.toISOString()}>
          {at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}
        </time>
        {remove.error ? <Problem error={remove.error} /> : null}
      </div>
      <button
        type="button"
        className="quiet"
        aria-label={`Delete the note: ${text.slice(0, 40)}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ id })}
      >
        Delete
      </button>
    </li>
  );
}

/** What went wrong and what to do next. A missing scope is one click away: the user allows it, and comes back. */
function Problem({ error, retry }: { error: ApiError; retry?: () => void }) {
  const missingScope = error.data?.missingScope;
  return (
    <div className="problem" role="alert">
      <p>
        {missingScope === undefined
          ? messageOf(error)
          : "This app doesn't have permission to do that yet. Allow it, then try again."}
      </p>
      {missingScope === undefined ? null : (
        <button type="button" className="quiet" onClick={() => signIn(missingScope)}>
          Allow
        </button>
      )}
      {retry === undefined || missingScope !== undefined ? null : (
        <button type="button" className="quiet" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
