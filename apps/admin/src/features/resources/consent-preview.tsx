import { Mark } from "@/components/mark.tsx";
import styles from "./resources.module.css";

/** What users read on the consent page when an app requests every scope of the resource. */
export function ConsentPreview({ name, scopes }: { name: string; scopes: readonly { description: string }[] }) {
  const sentences = scopes.map(({ description }) => description.trim()).filter(Boolean);
  return (
    <figure className={styles["preview"]}>
      <figcaption>What users read</figcaption>
      <div>
        <Mark size={20} />
        <p>
          <strong>An app</strong> wants to use <strong>{name.trim() || "your API"}</strong> for you.
        </p>
        <p>This will allow it to:</p>
        <ul>
          {sentences.length === 0 ? (
            <li>…</li>
          ) : (
            sentences.map((sentence, at) => <li key={`${at} ${sentence}`}>{sentence}</li>)
          )}
        </ul>
      </div>
    </figure>
  );
}
