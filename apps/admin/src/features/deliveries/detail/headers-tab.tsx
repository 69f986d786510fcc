"use client";

import { Table, Text } from "@mantine/core";
import { useState } from "react";
import { CopyText } from "@/components/code/code-panel.tsx";
import { visibleText } from "@/components/code/visible-text.ts";
import type { Delivery } from "@/trpc/types.ts";

/** Longer values are cut until the user asks for all of it. */
const CUT_AT = 200;

/** The request's headers, without credentials. */
export function HeadersTab({ delivery }: { delivery: Delivery }) {
  const headers = Object.entries(delivery.headers).sort(([a], [b]) => a.localeCompare(b));
  if (headers.length === 0) return <Text size="sm">No headers were stored.</Text>;
  return (
    <>
      <Table aria-label="Headers" verticalSpacing={6} horizontalSpacing={0} className="code-table">
        <Table.Tbody>
          {headers.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{visibleText(name)}</Table.Th>
              <Table.Td>
                <HeaderValue name={name} value={visibleText(value)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="md" mb="xs">
        Headers with credentials, such as Authorization and Cookie, are never stored.
      </Text>
      <CopyText text={headers.map(([name, value]) => `${name}: ${value}`).join("\n")} label="Copy headers" />
    </>
  );
}

function HeaderValue({ name, value }: { name: string; value: string }) {
  const [whole, setWhole] = useState(value.length <= CUT_AT);
  if (whole) return value;
  return (
    <>
      {value.slice(0, CUT_AT)}…{" "}
      <button type="button" className="text-button" aria-label={`Show all of ${name}`} onClick={() => setWhole(true)}>
        Show all {value.length.toLocaleString("en")} characters
      </button>
    </>
  );
}
