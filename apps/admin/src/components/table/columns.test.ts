import { describe, expect, test } from "vitest";
import { type Column, moved, shownColumns, toggled } from "./columns.ts";

const column = (id: string, more: Partial<Column<null>> = {}): Column<null> => ({
  id,
  title: id,
  render: () => null,
  ...more,
});
const COLUMNS = [column("name"), column("role"), column("created"), column("id", { optional: true })];
const shown = (columns?: string[]) => shownColumns(COLUMNS, { columns, density: "comfortable" }).map(({ id }) => id);

describe("the columns of a table, CO-84", () => {
  test("are all but the optional ones, until the reader chooses", () => {
    expect(shown()).toEqual(["name", "role", "created"]);
  });

  test("follow the reader's order after the first, which has the row's link", () => {
    expect(shown(["id", "role"])).toEqual(["name", "id", "role"]);
    expect(shown([])).toEqual(["name"]);
  });

  test("leave out a chosen column that no longer exists, and the first one where the choice names it", () => {
    expect(shown(["gone", "name", "role"])).toEqual(["name", "role"]);
  });

  test("move by buttons, and stay at either end", () => {
    expect(moved(["role", "created"], "created", -1)).toEqual(["created", "role"]);
    expect(moved(["role", "created"], "created", 1)).toEqual(["role", "created"]);
    expect(moved(["role", "created"], "role", -1)).toEqual(["role", "created"]);
    expect(moved(["role"], "gone", 1)).toEqual(["role"]);
  });

  test("are shown at the end, and hidden", () => {
    expect(toggled(["role"], "id")).toEqual(["role", "id"]);
    expect(toggled(["role", "id"], "role")).toEqual(["id"]);
  });
});
