// Loaded into a process with --import. On SIGUSR2, it prints how many callbacks of async hooks are active:
// AsyncLocalStorage is one of them.
const { async_hook_fields: fields, constants } = process.binding("async_wrap");
const KINDS = ["kInit", "kBefore", "kAfter", "kDestroy", "kPromiseResolve"];

process.on("SIGUSR2", () => {
  process.stdout.write(`active async hooks: ${KINDS.reduce((sum, kind) => sum + fields[constants[kind]], 0)}\n`);
});
