const { availableParallelism } = require("node:os");

const threadPoolSize = () => Math.max(6, availableParallelism() + 2);

// Node reads the variable when it first needs a thread, which a module of the program would be too late for. What the
// operator has set stays.
process.env.UV_THREADPOOL_SIZE ||= String(threadPoolSize());

module.exports = { threadPoolSize };
