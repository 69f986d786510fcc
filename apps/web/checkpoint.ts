import { workerData } from "node:worker_threads";
import { keepCheckpointing } from "@gatehouse/db/checkpoint";

// A thread of server.ts.
keepCheckpointing(String(workerData));
