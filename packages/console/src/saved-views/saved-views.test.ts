import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, type Installation, openInstallation } from "../testing/installation.ts";
import { listViews, removeView, saveView } from "./saved-views.ts";

const authorOf = (role: "admin" | "developer") => ({ ...ADMIN, id: role, name: role, role, via: "console" }) as const;

describe.each(engines)("saved views, CO-81, on $name", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());

  const draft = (name: string, shared = false) => ({ list: "/users", name, query: "role=admin", shared });
  const seenBy = async (userId: string, list = "/users") =>
    (await listViews(list, userId, it.deps)).map(({ name }) => name);

  test("a user's own views are theirs alone, and shared ones are everybody's", async () => {
    await saveView(draft("Mine"), authorOf("developer"), it.deps);
    await saveView(draft("Ours", true), authorOf("developer"), it.deps);
    expect(await seenBy("developer")).toEqual(["Mine", "Ours"]);
    expect(await seenBy("viewer")).toEqual(["Ours"]);
    expect(await seenBy("developer", "/deliveries")).toEqual([]);
    expect(await listViews("/users", "viewer", it.deps)).toMatchObject([
      { query: "role=admin", shared: true, own: false },
    ]);
  });

  test("a user has a name once per list: saving it again replaces the view; and at most 50 views of a list", async () => {
    const save = (name: string) => saveView({ ...draft(name), list: "/mail" }, authorOf("admin"), it.deps);
    for (let view = 1; view <= 50; view++) await save(`View ${view}`);
    await expect(save("View 51")).rejects.toMatchObject({ kind: "invalid", problems: [{ path: "name" }] });
    await saveView({ ...draft("View 7"), list: "/mail", query: "state=failed" }, authorOf("admin"), it.deps);
    const views = await listViews("/mail", "admin", it.deps);
    expect(views).toHaveLength(50);
    expect(views.find(({ name }) => name === "View 7")?.query).toBe("state=failed");
  });

  test("nobody but an admin removes a view of others, and only if it is shared", async () => {
    const { id: own } = await saveView(draft("Private"), authorOf("developer"), it.deps);
    const { id: shared } = await saveView(draft("Public", true), authorOf("admin"), it.deps);
    await expect(removeView(own, authorOf("admin"), it.deps)).rejects.toMatchObject({ kind: "not_found" });
    await expect(removeView(shared, authorOf("developer"), it.deps)).rejects.toMatchObject({ kind: "not_found" });
    await removeView(own, authorOf("developer"), it.deps);
    await removeView(shared, authorOf("admin"), it.deps);
    expect(await seenBy("developer")).not.toContain("Private");
    expect(await seenBy("developer")).not.toContain("Public");
  });
});
