const CREATE_TABLE = /^create table ["`](\w+)["`]/i;
const CREATE_INDEX = /^create (unique )?index ["`]\w+["`] on ["`](\w+)["`]/i;
const ADD_COLUMN = /^alter table ["`](\w+)["`] add (?:column )?["`]\w+["`](.*)$/is;
const ADD_CONSTRAINT = /^alter table ["`](\w+)["`] add constraint /i;

/**
 * Do these statements only add tables, indexes and optional columns? Then programs that do not know them can run, and
 * they can be applied in any order. False for every statement that this function does not recognize.
 */
export function isAdditive(statements: readonly string[]): boolean {
  const created = new Set<string>();
  return statements.every((statement) => {
    const [, table] = CREATE_TABLE.exec(statement) ?? [];
    if (table !== undefined) return created.add(table);
    const [index, unique, indexed = ""] = CREATE_INDEX.exec(statement) ?? [];
    if (index !== undefined) return unique === undefined || created.has(indexed);
    const [, constrained] = ADD_CONSTRAINT.exec(statement) ?? [];
    if (constrained !== undefined) return created.has(constrained);
    const [column, altered = "", definition = ""] = ADD_COLUMN.exec(statement) ?? [];
    return column !== undefined && (created.has(altered) || isOptional(definition));
  });
}

/** A column that inserts can omit and that adds no constraint. */
function isOptional(definition: string): boolean {
  return (
    !/\b(?:unique|references|primary key|check)\b/i.test(definition) &&
    (!/\bnot null\b/i.test(definition) || /\bdefault\b/i.test(definition))
  );
}
