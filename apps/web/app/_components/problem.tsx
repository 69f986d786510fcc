/** What went wrong, read out when it appears. Nothing without an error. */
export function Problem({ error, id }: { error: { message: string } | null; id?: string }) {
  if (error === null) return null;
  return (
    <p className="note danger" role="alert" id={id}>
      {error.message}
    </p>
  );
}
