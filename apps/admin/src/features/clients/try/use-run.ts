"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import type { TryKind, TryResult, TryTrace } from "@/trpc/types.ts";
import { onCallback } from "./channel.ts";
import { endOnLeave } from "./end-on-leave.ts";

export type RunInput = { clientId: string; kind: TryKind; scope: string; secret: string; reveal: boolean };

type Live = Pick<TryResult, "ticket" | "next" | "can"> & { expiresAt: number };

/** RFC 8628 §3.5: each early poll lengthens the interval by this. */
const SLOW_DOWN_SECONDS = 5;

/** A run of the client on this page: its steps so far, and what can follow. It ends with the page. CO-42. */
export function useRun() {
  const trpc = useTRPC();
  const [traces, setTraces] = useState<TryTrace[]>([]);
  const [live, setLive] = useState<Live>();
  const secret = useRef("");
  const start = useMutation(trpc.try.start.mutationOptions());
  const step = useMutation(trpc.try.step.mutationOptions());
  const check = useMutation(trpc.try.check.mutationOptions());
  const ending = useMutation(trpc.try.end.mutationOptions());
  useEndWithPage(live?.ticket);

  const pasted = () => (secret.current === "" ? {} : { secret: secret.current });
  const add = (more: TryTrace[]) => setTraces((earlier) => [...withoutPolls(earlier, more), ...more]);
  const over = () => setLive(undefined);

  function run({ scope, secret: given, ...input }: RunInput): void {
    secret.current = given;
    start.mutate(
      { ...input, ...(scope.trim() !== "" && { scope: scope.trim() }), ...pasted() },
      {
        onSuccess: ({ traces: first, ...rest }) => {
          setTraces(first);
          setLive(rest);
        },
      },
    );
  }

  function take(asked: Parameters<typeof step.mutate>[0]["step"]): void {
    if (!live || step.isPending) return;
    step.mutate(
      { ticket: live.ticket, step: asked, ...pasted() },
      {
        onSuccess: ({ traces: more, ...rest }) => {
          add(more);
          const waits = rest.next.kind === "wait" && live.next.kind === "device";
          setLive({ ...live, ...rest, next: waits ? slowedDown(live.next, more) : rest.next });
        },
        onError: over,
      },
    );
  }

  function runChecks(): void {
    if (!live) return;
    check.mutate({ ticket: live.ticket, ...pasted() }, { onSuccess: ({ traces: more }) => add(more), onSettled: over });
  }

  function end(): void {
    if (!live) return;
    ending.mutate({ ticket: live.ticket }, { onSettled: over });
  }

  const state = live?.next.kind === "sign_in" ? live.next.state : undefined;
  const taking = useRef(take);
  taking.current = take;
  useEffect(() => {
    if (state === undefined) return;
    return onCallback(state, (callback) => taking.current({ kind: "exchange", callback }));
  }, [state]);

  const device = live?.next.kind === "device" ? live.next : undefined;
  useEffect(() => {
    if (!device) return;
    const timer = setTimeout(() => taking.current({ kind: "poll" }), device.intervalSeconds * 1000);
    return () => clearTimeout(timer);
  }, [device]);

  const busy = start.isPending || step.isPending || check.isPending || ending.isPending;
  return {
    traces,
    live,
    busy,
    starting: start.isPending,
    run,
    refresh: () => take({ kind: "refresh" }),
    runChecks,
    end,
  };
}

type Waiting = Extract<TryResult["next"], { kind: "device" }>;

/** A new object, so that the timer of the next poll begins. */
function slowedDown(next: TryResult["next"], traces: readonly TryTrace[]): TryResult["next"] {
  const device = next as Waiting;
  const tooFast = traces.some(({ response }) => response.body.includes('"slow_down"'));
  return { ...device, intervalSeconds: device.intervalSeconds + (tooFast ? SLOW_DOWN_SECONDS : 0) };
}

/** Each poll replaces the one before. */
function withoutPolls(earlier: readonly TryTrace[], more: readonly TryTrace[]): TryTrace[] {
  const [next] = more;
  const last = earlier.at(-1);
  return next && last?.title === next.title && next.section === "RFC 8628 §3.4" ? earlier.slice(0, -1) : [...earlier];
}

function useEndWithPage(ticket: string | undefined): void {
  const current = useRef(ticket);
  current.current = ticket;
  useEffect(() => {
    const leave = () => {
      if (current.current !== undefined) endOnLeave(current.current);
      current.current = undefined;
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
}
