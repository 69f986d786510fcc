import { parentPort, workerData } from "node:worker_threads";
import { answerReads } from "@gatehouse/db/read-thread";

// A thread of server.ts.
if (parentPort) answerReads(String(workerData), parentPort);
