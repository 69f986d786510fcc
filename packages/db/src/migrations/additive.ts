const CREATE_TABLE = /^create table ["`](\w+)["`]/i;
const CREATE_INDEX = /^create (unique )?index ["`]\w+["`] on ["`](\w+)["`]/i;
const ADD_COLUMN = /^alter table ["`](\w+)["`] add (?:column )?["`]\w+["`](.*)$/is;
const ADD_CONSTRAINT = /^alter table ["`](\w+)["`] add constraint /i;

/**
 * Do these statements only add: tables, indexes, columns that may be left out? Then a program that does not know them can go on, and
 * they can be applied in any order. False for everything that this cannot tell.
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

/** A column whose value an insert may leave out, and that restricts nothing. */
function isOptional(definition: string): boolean {
  return (
    !/\b(?:unique|references|primary key|check)\b/i.test(definition) &&
    (!/\bnot null\b/i.test(definition) || /\bdefault\b/i.test(definition))
  );
}
