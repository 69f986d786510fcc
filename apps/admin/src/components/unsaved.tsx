"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useId, useSyncExternalStore } from "react";

const dirtyForms = new Set<string>();
let leaving: (() => void) | null = null;
const listeners = new Set<() => void>();

function setLeaving(next: (() => void) | null): void {
  leaving = next;
  for (const listener of listeners) listener();
}

/**
 * Registers a form with unsaved changes while `dirty`: leaving the page by a link, Back, a reload or the environment
 * asks first. CO-76.
 */
export function useUnsaved(dirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    dirtyForms.add(id);
    return () => {
      dirtyForms.delete(id);
    };
  }, [dirty, id]);
}

/**
 * Runs `leave`, which replaces the page or the form, after asking if there are unsaved changes. For controls that are
 * not links.
 */
export function leaveSafely(leave: () => void): void {
  if (dirtyForms.size === 0) leave();
  else setLeaving(leave);
}

/** Drops the unsaved changes of the page without asking. */
export function forgetUnsaved(): void {
  dirtyForms.clear();
}

/** Asks before the user leaves a page with unsaved changes. Once per page. */
export function UnsavedGuard() {
  const router = useRouter();
  const leave = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => leaving,
    () => null,
  );
  const onClick = useEffectEvent((event: MouseEvent) => {
    const href = dirtyForms.size === 0 ? null : leavingHref(event);
    if (href === null) return;
    event.preventDefault();
    event.stopPropagation();
    setLeaving(() => router.push(href));
  });
  useEffect(() => {
    const click = (event: MouseEvent) => onClick(event);
    document.addEventListener("click", click, { capture: true });
    window.addEventListener("beforeunload", askOnUnload);
    window.navigation?.addEventListener("navigate", askOnTraversal);
    return () => {
      document.removeEventListener("click", click, { capture: true });
      window.removeEventListener("beforeunload", askOnUnload);
      window.navigation?.removeEventListener("navigate", askOnTraversal);
    };
  }, []);
  const stay = () => setLeaving(null);
  return (
    <Modal opened={leave !== null} onClose={stay} title="Discard unsaved changes?" centered>
      <Stack>
        <Text size="sm">You changed something on this page and haven’t saved it.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus>
            Keep editing
          </Button>
          <Button
            color="red"
            onClick={() => {
              stay();
              forgetUnsaved();
              leave?.();
            }}
          >
            Discard changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Where a click leads in this tab; null if it opens no other page of the console, as any does without a connection. */
function leavingHref(event: MouseEvent): string | null {
  if (!window.navigator.onLine) return null;
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target === "_blank" || link.hasAttribute("download")) return null;
  const { origin, pathname, search } = new URL(link.href);
  const { location } = window;
  if (origin !== location.origin || pathname + search === location.pathname + location.search) return null;
  return pathname + search;
}

function askOnUnload(event: BeforeUnloadEvent): void {
  if (dirtyForms.size > 0) event.preventDefault();
}

/** Back and Forward, in browsers that let a page ask: others go back without asking. */
function askOnTraversal(event: NavigateEvent): void {
  if (dirtyForms.size === 0 || event.navigationType !== "traverse" || !event.cancelable) return;
  const { key } = event.destination;
  event.preventDefault();
  setLeaving(() => void window.navigation.traverseTo(key));
}
