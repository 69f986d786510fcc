/** Calls `make` at the first call. For statements: the schema may not exist yet when a store is made. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
