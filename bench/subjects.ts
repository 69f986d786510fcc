import type { Subject } from "./subject.ts";
import { floor } from "./subjects/floor.ts";
import { gatehouse, gatehousePostgres } from "./subjects/gatehouse.ts";

/** Those compared, in the order of the report. */
export const SUBJECTS: readonly Subject[] = [gatehouse, gatehousePostgres, floor];
