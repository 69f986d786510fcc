import { Anchor } from "@mantine/core";
import { visibleText } from "./code/visible-text.ts";

/**
 * An address that a stranger chose. With https its host is a link, and the page behind it does not learn from where it
 * was opened; any other address is text. CO-95.
 */
export function ForeignLink({ url }: { url: string }) {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : { protocol: "", host: "" };
  if (protocol !== "https:") return <bdi>{visibleText(url)}</bdi>;
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      title={visibleText(url)}
      size="sm"
    >
      <bdi>{host}</bdi>
    </Anchor>
  );
}
