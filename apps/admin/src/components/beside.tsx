import type { ReactNode } from "react";
import classes from "./beside.module.css";

/** Fields with what they make beside them, which stays in view; below them where there is no room. */
export function Beside({ children, beside }: { children: ReactNode; beside: ReactNode }) {
  return (
    <div className={classes["both"]}>
      <div className={classes["fields"]}>{children}</div>
      <div className={classes["beside"]}>{beside}</div>
    </div>
  );
}
