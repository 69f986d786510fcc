"use client";

import type { RouterOutputs } from "@gatehouse/product/types";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Day } from "../_components/day.tsx";
import { EmptyState } from "../_components/empty-state.tsx";
import { More } from "../_components/more.tsx";
import { Problem } from "../_components/problem.tsx";
import { useTRPC } from "../api-provider.tsx";
import styles from "./notes.module.css";

type Page = RouterOutputs["notes"]["list"];
type Note = Page["items"][number];

/** The user's notes; `first` is the page that the server rendered. */
export function Notes({ first }: { first: Page }) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.notes.list.infiniteQueryOptions(
      {},
      {
        getNextPageParam: ({ nextCursor }) => nextCursor,
        initialCursor: null,
        initialData: { pages: [first], pageParams: [null] },
      },
    ),
  );
  const notes = list.data.pages.flatMap(({ items }) => items);
  return (
    <>
      <div className="card">
        <NewNote />
      </div>
      <section className="card" aria-label="Your notes">
        <Problem error={list.error} />
        {notes.length === 0 ? (
          <EmptyState title="No notes yet">Write your first one above.</EmptyState>
        ) : (
          <ul className="rows" aria-label="Notes">
            {notes.map((note) => (
              <NoteRow key={note.id} note={note} />
            ))}
          </ul>
        )}
        <More list={list} />
      </section>
    </>
  );
}

function NewNote() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [text, setText] = useState("");
  const create = useMutation(
    trpc.notes.create.mutationOptions({
      async onSuccess() {
        setText("");
        await queryClient.invalidateQueries(trpc.notes.list.infiniteQueryFilter());
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ text });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="field">
        <label htmlFor="text">New note</label>
        <textarea
          id="text"
          className={styles["text"]}
          rows={3}
          maxLength={2000}
          required
          value={text}
          aria-describedby={create.error ? "problem" : undefined}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Problem error={create.error} id="problem" />
      <button type="submit" className={`button ${styles["add"]}`} disabled={create.isPending || text.trim() === ""}>
        Add note
      </button>
    </form>
  );
}

function NoteRow({ note: { id, text, createdAt } }: { note: Note }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.notes.remove.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.notes.list.infiniteQueryFilter()),
    }),
  );
  return (
    <li>
      <div>
        <p className={styles["words"]}>{text}</p>
        <p className="small muted">
          <Day at={createdAt} />
        </p>
        <Problem error={remove.error} />
      </div>
      <button
        type="button"
        className="button quiet compact"
        aria-label={`Delete the note: ${text.slice(0, 40)}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ id })}
      >
        Delete
      </button>
    </li>
  );
}
