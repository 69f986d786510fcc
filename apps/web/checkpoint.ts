import { parentPort, workerData } from "node:worker_threads";
import { keepCheckpointing } from "@gatehouse/db/checkpoint";

// A thread of server.ts, which logs the bytes that it is sent.
keepCheckpointing(String(workerData), (logBytes) => parentPort?.postMessage(logBytes));
