"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "../api";

export function Books({ goal }: { goal: number }) {
  const { data: books, error, refetch } = useQuery(useTRPC().books.list.queryOptions());
  return (
    <>
      <NewBook />
      {error && <Problem message={error.message} retry={refetch} />}
      {books?.length === 0 && <p className="quiet">No books yet. Which one comes first?</p>}
      {books !== undefined && books.length > 0 && (
        <>
          <ol aria-label="Books">
            {books.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ol>
          <label className="progress">
            {books.length} of {goal} books
            <progress value={Math.min(books.length, goal)} max={goal} />
          </label>
        </>
      )}
    </>
  );
}

function NewBook() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [title, setTitle] = useState("");
  const add = useMutation(
    trpc.books.add.mutationOptions({
      async onSuccess() {
        setTitle("");
        await queries.invalidateQueries(trpc.books.list.queryFilter());
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ title });
  };
  return (
    <form onSubmit={submit} className="new">
      <label htmlFor="title">New book</label>
      <input
        id="title"
        value={title}
        maxLength={120}
        required
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <button type="submit" className="button" disabled={add.isPending}>
        Add
      </button>
      {add.error && <Problem message={add.error.message} />}
    </form>
  );
}

function Problem({ message, retry }: { message: string; retry?: () => void }) {
  return (
    <p role="alert" className="problem">
      {message}{" "}
      {retry && (
        <button type="button" onClick={() => retry()}>
          Try again
        </button>
      )}
    </p>
  );
}
