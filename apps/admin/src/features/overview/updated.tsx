"use client";

import { useEffect, useState } from "react";

/** How often the overview is read again. Not while its tab is hidden. */
export const REFRESH_MS = 30_000;

/** "Updated 12 s ago". `at`: milliseconds; 0 before the first data. CO-17. */
export function Updated({ at }: { at: number }) {
  const [now, setNow] = useState<number>();
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = now === undefined || at === 0 ? undefined : Math.max(0, Math.round((now - at) / 1_000));
  return (
    <span className="overview-updated">{`Updated ${seconds === undefined ? "now" : ago(seconds)} · counts may lag 10 s`}</span>
  );
}

function ago(seconds: number): string {
  if (seconds < 2) return "now";
  return seconds < 120 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
}
