import type { ReactNode } from "react";

/** One chart with its title. */
export function Panel({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <figure className="chart" aria-label={title}>
      <figcaption>
        {title}
        {note && <span className="chart-note"> {note}</span>}
      </figcaption>
      {children}
    </figure>
  );
}

export const count = (value: number) => new Intl.NumberFormat("en").format(value);
