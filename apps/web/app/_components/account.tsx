import type { PageVisitor } from "../../server/pages/react/page-visitor.ts";
import styles from "./account.module.css";

/** Who is signed in, and the way out; or the way in. */
export function Account({ visitor }: { visitor: PageVisitor | undefined }) {
  if (visitor === undefined) {
    return (
      <a className="button quiet compact" href="/sign-in">
        Sign in
      </a>
    );
  }
  const { name, email, csrf } = visitor;
  return (
    <div className={styles["account"]}>
      <a href="/account" title={email}>
        <bdi>{name}</bdi>
      </a>
      <form method="post" action="/sign-out">
        <input type="hidden" name="csrf" value={csrf} />
        <button type="submit" className="button quiet compact">
          Sign out
        </button>
      </form>
    </div>
  );
}
