"use client";

export { NumberInput as NumberControl } from "@mantine/core";
