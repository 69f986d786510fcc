// The server's thread for reads, compiled by tsx in place of the bundle.
import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register();
const { answerReads } = await import("../sqlite/read-thread.ts");
answerReads(workerData, parentPort);
