"use client";

export { MultiSelect as NamesControl } from "@mantine/core";
