import { type Answer, type Connection, openConnection } from "./connection.ts";

type Slot = { connection: Connection; due: number | undefined };

/** What became of a request that was due then: its status, or `lost` if the connection ended. */
export type Settled = (due: number, outcome: "lost" | Answer) => void;

/**
 * Sends requests over connections that stay open, one request at a time on each. Beyond `most` connections requests wait
 * for one, and their time goes on.
 */
export function openPool(
  open: { port: number; most: number; addresses: readonly string[]; next: () => Buffer },
  settled: Settled,
) {
  const slots = new Set<Slot>();
  const idle: Slot[] = [];
  const queue: number[] = [];
  let opened = 0;

  function openSlot(): Slot {
    const slot: Slot = {
      due: undefined,
      connection: openConnection(open.port, {
        onAnswer: (answer) => end(slot, answer),
        onClosed() {
          slots.delete(slot);
          end(slot, "lost");
        },
        localAddress: open.addresses[opened++ % Math.max(1, open.addresses.length)],
      }),
    };
    slots.add(slot);
    return slot;
  }

  function end(slot: Slot, outcome: "lost" | Answer): void {
    const { due } = slot;
    slot.due = undefined;
    if (due === undefined) return;
    const waiting = queue.shift();
    if (slots.has(slot)) {
      if (waiting === undefined) idle.push(slot);
      else send(slot, waiting);
    } else if (waiting !== undefined) begin(waiting);
    settled(due, outcome);
  }

  function send(slot: Slot, due: number): void {
    slot.due = due;
    slot.connection.send(open.next());
  }

  function takeIdle(): Slot | undefined {
    for (;;) {
      const slot = idle.pop();
      if (slot === undefined || slots.has(slot)) return slot;
    }
  }

  /** Sends a request that was due at `due`. */
  function begin(due: number): void {
    const slot = takeIdle() ?? (slots.size < open.most ? openSlot() : undefined);
    if (slot) send(slot, due);
    else queue.push(due);
  }

  return {
    begin,
    /** Opens connections that wait for requests. */
    open(connections: number): void {
      for (let slot = 0; slot < connections; slot++) idle.push(openSlot());
    },
    /** When the requests were due that are not answered. */
    pending: () => [...[...slots].flatMap(({ due }) => due ?? []), ...queue],
    close() {
      for (const slot of slots) {
        slot.due = undefined;
        slot.connection.close();
      }
    },
  };
}
