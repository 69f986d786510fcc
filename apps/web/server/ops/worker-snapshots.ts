import cluster, { type Worker } from "node:cluster";
import { definitions, mergeSnapshots, type Snapshot, takeSnapshot } from "@gatehouse/runtime/metrics";

/** A worker that answers later has its earlier numbers counted: a blocked one must not stop the scrape. */
const ANSWER_WITHIN_MS = 1_000;

type Ask = { gatehouseSnapshot: "ask"; id: number };
type Answer = { gatehouseSnapshot: "answer"; id: number; snapshot: Snapshot };

const acrossOf = (name: string) => definitions.get(name)?.across ?? "sum";

/**
 * Called in the first process. The result adds up what this process and its workers have counted. What a worker counted
 * until it was last asked stays when it exits: a total that falls would look like a restart. OP-73
 */
export function createServerSnapshot(): () => Promise<Snapshot> {
  const last = new Map<number, Snapshot>();
  let retired: Snapshot = {};
  let asked = 0;

  cluster.on("exit", ({ id }: Worker) => {
    retired = mergeSnapshots([retired, onlyTotals(last.get(id) ?? {})], acrossOf);
    last.delete(id);
  });

  function ask(worker: Worker): Promise<void> {
    asked += 1;
    const id = asked;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(late);
        worker.off("message", answered);
        worker.off("exit", end);
        resolve();
      };
      const answered = (message: unknown) => {
        if (!isAnswer(message) || message.id !== id) return;
        last.set(worker.id, message.snapshot);
        end();
      };
      const late = setTimeout(end, ANSWER_WITHIN_MS);
      worker.on("message", answered);
      worker.once("exit", end);
      worker.send({ gatehouseSnapshot: "ask", id } satisfies Ask, (error) => {
        if (error) end();
      });
    });
  }

  return async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
    const [own] = await Promise.all([takeSnapshot(), ...workers.map((worker) => worker && ask(worker))]);
    return mergeSnapshots([own, retired, ...last.values()], acrossOf);
  };
}

/** Called in a worker: answers the first process. */
export function answerSnapshots(): void {
  process.on("message", (message) => {
    if (!isAsk(message)) return;
    takeSnapshot().then((snapshot) => {
      if (process.connected) process.send?.({ gatehouseSnapshot: "answer", id: message.id, snapshot } satisfies Answer);
    });
  });
}

/** Gauges end with their process. */
function onlyTotals(snapshot: Snapshot): Snapshot {
  return Object.fromEntries(Object.entries(snapshot).filter(([name]) => definitions.get(name)?.kind !== "gauge"));
}

const isAsk = (message: unknown): message is Ask => kindOf(message) === "ask";
const isAnswer = (message: unknown): message is Answer => kindOf(message) === "answer";
const kindOf = (message: unknown) =>
  typeof message === "object" && message !== null ? Reflect.get(message, "gatehouseSnapshot") : undefined;
