import type { OperationDeps } from "../deps.ts";
import type { SettingsInForce } from "../settings/in-force.ts";

/** Settings with one that admins can change; its only bad value is "bad". */
export function settingsForTests(): Pick<OperationDeps, "settings"> {
  const words = {
    section: "branding",
    group: { title: "Name", text: "" },
    label: "Product name",
    about: "",
    input: { kind: "text" },
  } as const;
  const setting = { ...words, value: "Gatehouse", default: "Gatehouse", source: "default", changeable: true } as const;
  const settings: SettingsInForce = {
    list: () => [{ variable: "GATEHOUSE_PRODUCT_NAME", ...setting }],
    problemsWith: ({ GATEHOUSE_PRODUCT_NAME: value }) =>
      value === "bad" ? [{ path: "GATEHOUSE_PRODUCT_NAME", message: "is bad" }] : [],
    load: async () => {},
  };
  return { settings };
}
