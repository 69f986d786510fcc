import { parentPort, workerData } from "node:worker_threads";
import { keepCheckpointing } from "@gatehouse/db/sqlite/checkpoint";

// Runs as a thread of server.ts, which logs each message.
keepCheckpointing(String(workerData), (logBytes) => parentPort?.postMessage(logBytes));
