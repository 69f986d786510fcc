import { CHANGES, expectClosed, labelsOf, TOURS } from "./role-tours.ts";
import { expect, openConsole, test } from "./stage.ts";

for (const tour of TOURS) {
  const { role } = tour;
  test(`CO-02 CO-97 role-tour: the navigation has every page that the role ${role} can open, and no other opens`, async ({
    page,
  }) => {
    await openConsole(page, role, "/");
    const navigation = page.getByRole("navigation", { name: "Main" });
    const labels = labelsOf(tour);
    const names = await navigation.getByRole("listitem").getByRole("link").allTextContents();
    expect(names.toSorted()).toEqual(labels.toSorted());
    for (const label of labels) {
      const link = navigation.getByRole("link", { name: label, exact: true });
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "page");
      await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText(/^This page needs the/)).toHaveCount(0);
      // What a role may never do is not drawn.
      if (role === "viewer") await expect(page.getByRole("main").getByRole("button", { name: CHANGES })).toHaveCount(0);
    }
    await expectClosed(page, tour);
  });
}
