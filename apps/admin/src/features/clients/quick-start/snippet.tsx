import { CopyText } from "@/components/code/code-panel.tsx";
import classes from "./snippet.module.css";

/** A file or a command to copy. */
export function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <figure className={classes["snippet"]}>
      <figcaption className={classes["title"]}>
        <span>{title}</span>
        <CopyText text={text} label="Copy" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <pre className={classes["text"]} tabIndex={0}>
        {text.trimEnd()}
      </pre>
    </figure>
  );
}
