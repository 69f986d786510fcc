import { parentPort, workerData } from "node:worker_threads";
import { answerReads } from "@gatehouse/db/sqlite/read-thread";

// Runs as a thread of server.ts.
if (parentPort) answerReads(String(workerData), parentPort);
