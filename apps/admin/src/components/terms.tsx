import type { ReactNode } from "react";
import styles from "./terms.module.css";

type Props = {
  /** Where a name stands: beside its value, or above it. */
  names?: "beside" | "above";
  label?: string;
  className?: string | undefined;
  children: ReactNode;
};

/** Facts, each under its name: a definition list of `Term`s. */
export function Terms({ names = "beside", label, className = "", children }: Props) {
  return (
    <dl className={`${styles["terms"]} ${styles[names]} ${className}`} aria-label={label}>
      {children}
    </dl>
  );
}

export function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
