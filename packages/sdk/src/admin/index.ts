// Entry `/admin`: the procedures of a Gatehouse server that accept API tokens. Web APIs alone.

export { type Admin, type AdminOptions, createAdmin } from "./create-admin.ts";
export { AdminError, type AdminProblem } from "./error.ts";
export type { Procedures } from "./procedures.ts";
