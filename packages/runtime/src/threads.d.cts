/**
 * The size of Node's thread pool that the launchers set: passwords are hashed on some of its threads, and the rest are
 * for signatures, files and names of hosts. Preloaded with `-r`, this file sets `UV_THREADPOOL_SIZE` unless it is set.
 * OP-32
 */
export function threadPoolSize(): number;
