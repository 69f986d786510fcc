"use client";

import { Alert, Anchor, Group, Text, Title } from "@mantine/core";
import Link from "next/link";
import { CopyText } from "@/components/code/code-panel.tsx";
import { visibleText } from "@/components/code/visible-text.ts";
import type { TryTrace } from "@/trpc/types.ts";
import { Snippet } from "../quick-start/snippet.tsx";
import classes from "./try.module.css";

/** One request of the run: what it is for, what happened, and both sides in full. CO-41. */
export function TraceStep({ trace }: { trace: TryTrace }) {
  const { title, why, section, ms, response, outcome, failure, tokens, curl } = trace;
  return (
    <li className={classes["step"]} data-testid="trace-step" data-outcome={outcome}>
      <Group gap="sm" justify="space-between" align="baseline">
        <Title order={3} size="0.875rem">
          {title}
        </Title>
        <Text size="xs" c="dimmed" className={classes["facts"]}>
          {response.status}
          {ms !== null && ` · ${ms} ms`}
          {` · ${section}`}
        </Text>
      </Group>
      <Text size="sm">{why}</Text>
      {failure && <Failure failure={failure} expected={outcome === "as_expected"} />}
      <details className={classes["details"]}>
        <summary>Request and response</summary>
        <div className={classes["panels"]}>
          <Snippet title="Request" text={requestText(trace)} />
          <Snippet title="Response" text={responseText(trace)} />
        </div>
        {curl !== "" && <CopyText text={curl} label="Copy as curl" />}
      </details>
      {tokens.map(({ name, header, claims }) => (
        <details key={name} className={classes["details"]}>
          <summary>{name}, decoded</summary>
          <Snippet
            title={`${name}: header and claims`}
            text={visibleText(JSON.stringify({ header, claims }, null, 2))}
          />
        </details>
      ))}
    </li>
  );
}

function Failure({
  failure: { errorId, sentence, howToFix },
  expected,
}: {
  failure: NonNullable<TryTrace["failure"]>;
  expected: boolean;
}) {
  return (
    <Alert variant="light" color={expected ? "gray" : "red"} title={sentence} mt="xs">
      <Text size="sm">
        {!expected && `${howToFix} `}
        <Anchor
          component={Link}
          href={`/failures/${encodeURIComponent(errorId)}`}
          prefetch={false}
          target="_blank"
          size="sm"
          underline="always"
        >
          Open failure {errorId}
        </Anchor>
      </Text>
    </Alert>
  );
}

const headerLines = (headers: TryTrace["request"]["headers"]) => headers.map(([name, value]) => `${name}: ${value}`);

function requestText({ request: { method, url, headers, body } }: TryTrace): string {
  return visibleText([`${method} ${url}`, ...headerLines(headers), ...(body === "" ? [] : ["", body])].join("\n"));
}

function responseText({ response: { status, headers, body } }: TryTrace): string {
  return visibleText([`HTTP ${status}`, ...headerLines(headers), ...(body === "" ? [] : ["", body])].join("\n"));
}
