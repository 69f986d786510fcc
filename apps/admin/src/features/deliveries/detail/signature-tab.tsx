"use client";

import { Anchor, Table, Title } from "@mantine/core";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { Note } from "./payload-tab.tsx";
import { WhyItFailed } from "./why-it-failed.tsx";

type Signature = Delivery["signature"];

/** How the signature was checked, and why it failed. Never shows a secret or the expected signature. */
export function SignatureTab({ delivery }: { delivery: Delivery }) {
  const { signature, outcome, facts } = delivery;
  return (
    <>
      {outcome === "rejected" && <WhyItFailed delivery={delivery} />}
      <Terms names="above" className="terms-in-columns">
        <Term name="Scheme">
          {signature.algorithms.length > 0
            ? `${signature.algorithms.join(", ")} in ${signature.where}`
            : `Expected in ${signature.where}`}
        </Term>
        {signature.problem !== null && <Term name="Problem">{capitalized(signature.problem)}</Term>}
        <Term name="Signed at">
          {signature.signedAt === null ? "No signed time" : <Timestamp at={signature.signedAt} seconds />}
        </Term>
        <Term name="Clock difference">{clockText(signature)}</Term>
        {facts && (
          <Term name="Documentation">
            <Anchor href={facts.docsUrl} rel="noreferrer" target="_blank" size="sm">
              {new URL(facts.docsUrl).host}
            </Anchor>
          </Term>
        )}
      </Terms>
      <Title order={3} size="0.875rem" mt="lg" mb="xs">
        Secrets of this endpoint at the time
      </Title>
      <Secrets signature={signature} endpoint={delivery.endpoint} />
    </>
  );
}

const RESULTS = { matched: "Matched", no_match: "Did not match", not_tried: "Not tried" } as const;

function Secrets({ signature: { secrets }, endpoint }: { signature: Signature; endpoint: string }) {
  if (secrets.length === 0) return <Note>{`The endpoint ${endpoint} had no active signing secret.`}</Note>;
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table aria-label="Secrets" verticalSpacing={6} horizontalSpacing="sm" className="card-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Secret</Table.Th>
            <Table.Th>Last four</Table.Th>
            <Table.Th>Added</Table.Th>
            <Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {secrets.map(({ id, name, hint, createdAt, result }) => (
            <Table.Tr key={id}>
              <Table.Td>{name ?? "Unnamed"}</Table.Td>
              <Table.Td>
                <code>…{hint}</code>
              </Table.Td>
              <Table.Td>
                <Timestamp at={createdAt} brief />
              </Table.Td>
              <Table.Td>
                <span className="secret-result" data-result={result}>
                  {RESULTS[result]}
                </span>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function clockText({ skewSeconds, toleranceSeconds }: Signature): string {
  if (toleranceSeconds === null)
    return "This provider signs no time. Repeats are recognized by the event’s id or body.";
  if (skewSeconds === null) return `Up to ${toleranceSeconds} s is allowed`;
  const seconds = Math.abs(Math.round(skewSeconds));
  const difference =
    seconds === 0
      ? "None"
      : `Signed ${seconds} s ${skewSeconds < 0 ? "before" : "after"} it arrived, by this server’s clock`;
  return `${difference}; up to ${toleranceSeconds} s is allowed`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
