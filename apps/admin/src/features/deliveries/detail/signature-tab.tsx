"use client";

import type { Delivery } from "@/trpc/types.ts";
import { Fact } from "./delivery-facts.tsx";

/** How the signature was checked. */
export function SignatureTab({ delivery }: { delivery: Delivery }) {
  const { secretHint, skewSeconds } = delivery;
  return (
    <dl className="facts">
      <Fact name="Signed with">{secretHint === null ? "No known secret" : `Secret ending in ${secretHint}`}</Fact>
      <Fact name="Clock">{skewSeconds === null ? "No signed time" : formatSkew(skewSeconds)}</Fact>
    </dl>
  );
}

function formatSkew(seconds: number): string {
  const rounded = Math.abs(Math.round(seconds));
  if (rounded === 0) return "Signed at the current time by this server’s clock";
  return `Signed ${rounded} s ${seconds < 0 ? "before" : "after"} the current time by this server’s clock`;
}
