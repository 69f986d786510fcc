import { parentPort, workerData } from "node:worker_threads";
import { keepCheckpointing, watchLog } from "@gatehouse/db/sqlite/checkpoint";

// Runs as a thread of server.ts, which logs each message.
const { file, external } = workerData as { file: string; external: boolean };
const alarm = (logBytes: number) => parentPort?.postMessage(logBytes);
if (external) watchLog(file, alarm);
else keepCheckpointing(file, alarm);
