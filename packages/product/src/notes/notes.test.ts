import { openInstallationOf } from "@gatehouse/console/testing/callers";
import { createCallerFactory } from "@gatehouse/console/trpc";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrations, scopes } from "../index.ts";
import { productRouter } from "../routers.ts";

const callerOf = createCallerFactory(productRouter);

describe.each(engines)("notes on $name", ({ name, open }) => {
  const openIt = () => openInstallationOf({ name, open: () => open({ further: migrations }) }, callerOf, scopes);
  let it: Awaited<ReturnType<typeof openIt>>;
  beforeAll(async () => {
    it = await openIt();
  });
  afterAll(() => it.close());

  const texts = ({ items }: { items: { text: string }[] }) => items.map(({ text }) => text);

  test("are listed newest first, page by page, each once", async () => {
    const { notes } = it.as("admin");
    for (let at = 1; at <= 5; at++) await notes.create({ text: `note ${at}` });
    const first = await notes.list({ limit: 2 });
    const second = await notes.list({ limit: 2, cursor: first.nextCursor });
    const third = await notes.list({ limit: 2, cursor: second.nextCursor });
    expect([first, second, third].map(texts)).toEqual([["note 5", "note 4"], ["note 3", "note 2"], ["note 1"]]);
    expect(third.nextCursor).toBeNull();
    expect(texts(await notes.list())).toHaveLength(5);
  });

  test("belong to one user: nobody else lists or deletes them", async () => {
    const mine = await it.as("developer").notes.create({ text: "mine" });
    expect((await it.as("viewer").notes.list()).items).toEqual([]);
    await expect(it.as("viewer").notes.remove({ id: mine.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await it.as("developer").notes.list()).items).toEqual([mine]);
    await it.as("developer").notes.remove({ id: mine.id });
    expect((await it.as("developer").notes.list()).items).toEqual([]);
    await expect(it.as("developer").notes.remove({ id: mine.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("keep text as it was written, without the space around it", async () => {
    const text = "Zoë ☕\nline two; '); drop table --";
    const created = await it.as("user").notes.create({ text: `  ${text}\n` });
    expect(created).toMatchObject({ text, createdAt: it.clock.now });
    expect((await it.as("user").notes.list()).items).toEqual([created]);
  });

  test.each([
    ["nothing", "  "],
    ["too much", "x".repeat(2001)],
    ["a control character", "a\u0000b"],
  ])("reject %s", async (_, text) => {
    await expect(it.as("user").notes.create({ text })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("reject a cursor that no page returned", async () => {
    await expect(it.as("user").notes.list({ cursor: "made up" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("need a caller, and of an access token the right scope", async () => {
    await expect(it.stranger.notes.list()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const reader = it.as("user", ["notes:read"]);
    await expect(reader.notes.list()).resolves.toBeDefined();
    await expect(reader.notes.create({ text: "no" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(reader.notes.remove({ id: "x" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(it.as("user", ["notes:write", "api:read"]).notes.list()).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
