// Preloaded by the processes that write the demo's history: their clock starts `DEMO_CLOCK_MS` from now, and moves to
// where a message says. The audit log names `DEMO_OPERATOR`, not the account that makes the demo.
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

let offset = Number(process.env.DEMO_CLOCK_MS ?? 0);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }
  static now() {
    return RealDate.now() + offset;
  }
};

const { userInfo } = os;
os.userInfo = () => ({ ...userInfo(), username: process.env.DEMO_OPERATOR ?? "operator" });
syncBuiltinESMExports();

process.on("message", ({ clockMs }) => {
  if (clockMs === undefined) return;
  offset = clockMs;
  process.send({ clockMs });
});
process.channel?.unref(); // listening alone keeps no command running
