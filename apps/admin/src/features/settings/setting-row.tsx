"use client";

import { Anchor, Group, NativeSelect, Skeleton, TextInput } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { ColourField } from "@/components/colour-field.tsx";
import type { SettingView } from "@/trpc/types.ts";
import styles from "./settings.module.css";

const loading = () => <Skeleton height={80} />;
// Large, and only some sections have one.
const NamesControl = dynamic(() => import("./names-control.tsx").then((module) => module.NamesControl), { loading });
const SmtpServerControl = dynamic(
  () => import("./smtp-server-control.tsx").then((module) => module.SmtpServerControl),
  {
    loading,
  },
);
const NumberControl = dynamic(() => import("./number-control.tsx").then((module) => module.NumberControl), { loading });

type Props = {
  setting: SettingView;
  /** What the form has. */
  value: string;
  error: ReactNode;
  change: (value: string) => void;
  /** What the value that the form has would do. */
  note?: ReactNode;
};

/** One setting: what it is, its value, and where that comes from. CO-67. */
export function SettingRow({ setting, value, error, change, note }: Props) {
  const locked = !setting.changeable || setting.source === "environment";
  return (
    <div className={styles["row"]}>
      {locked ? (
        <Locked setting={setting} />
      ) : (
        <Control setting={setting} value={value} error={error} change={change} />
      )}
      {note}
      <Origin setting={setting} value={value} change={change} />
    </div>
  );
}

function Locked({ setting }: { setting: SettingView }) {
  return (
    <dl className={styles["locked"]}>
      <dt>{setting.label}</dt>
      <dd className={styles["about"]}>{setting.about}</dd>
      <dd className={styles["value"]}>
        <IconLock size={14} stroke={1.5} aria-hidden="true" />
        <bdi>{wordsOf(setting, setting.value)}</bdi>
      </dd>
    </dl>
  );
}

const NARROW = { wrapper: { maxWidth: 220 } };

function Control({ setting, value, error, change }: Pick<Props, "setting" | "value" | "error" | "change">) {
  const { input, label, about: description, empty } = setting;
  const shared = {
    label,
    description,
    error,
    inputWrapperOrder: ["label", "description", "input", "error"] as ("label" | "description" | "input" | "error")[],
  };
  switch (input.kind) {
    case "choice":
      return (
        <NativeSelect
          {...shared}
          data={[...input.options]}
          value={value}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case "colour":
      return <ColourField {...shared} value={value} onChange={change} placeholder="#4f46e5" styles={NARROW} />;
    case "number":
      return (
        <NumberControl
          {...shared}
          value={value === "" ? "" : Number(value)}
          onChange={(next) => change(String(next))}
          min={input.min}
          max={input.max}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          suffix={` ${input.unit}`}
          styles={NARROW}
        />
      );
    case "names":
      return (
        <NamesControl
          {...shared}
          data={[...input.options]}
          value={value === "" ? [] : value.split(",")}
          onChange={(names) => change(names.join(","))}
          placeholder={value === "" ? empty : undefined}
          hidePickedOptions
        />
      );
    case "smtp_server":
      return (
        <SmtpServerControl
          label={label}
          description={description}
          error={error}
          saved={setting.value}
          value={value}
          onChange={change}
        />
      );
    case "text":
      return (
        <TextInput
          {...shared}
          value={value}
          placeholder={input.placeholder ?? empty}
          maxLength={input.maxLength}
          spellCheck={false}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
  }
}

/** Says what sets the value, and takes it back to the default. */
function Origin({ setting, value, change }: Pick<Props, "setting" | "value" | "change">) {
  const { source, variable, changeable, default: usual } = setting;
  if (source === "environment" || !changeable)
    return (
      <div className={styles["origin"]}>
        {source === "environment" ? "Set by" : "The default, which is changed by"} <code>{variable}</code>
      </div>
    );
  if (usual === null || usual === value || setting.input.kind === "smtp_server") return null;
  return (
    <Group gap="xs" className={styles["origin"]}>
      <span>
        Default: <bdi>{wordsOf(setting, usual)}</bdi>
      </span>
      <Anchor
        component="button"
        type="button"
        size="xs"
        onClick={() => change(usual)}
        aria-label={`Use the default of ${setting.label}`}
      >
        Use the default
      </Anchor>
    </Group>
  );
}

/** A value as the form would show it. */
function wordsOf({ input, empty }: SettingView, value: string): string {
  if (value === "") return empty ?? "None";
  if (input.kind === "choice") return input.options.find((option) => option.value === value)?.label ?? value;
  if (input.kind === "number") return `${value} ${input.unit}`;
  if (input.kind === "names")
    return value
      .split(",")
      .map((name) => input.options.find((option) => option.value === name)?.label ?? name)
      .join(", ");
  return value;
}
