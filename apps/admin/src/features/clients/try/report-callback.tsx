"use client";

import { useEffect } from "react";
import { announceCallback } from "./channel.ts";

/**
 * Hands the response to the tab of the run, takes it out of the address bar, and closes this tab where the browser
 * allows that.
 */
export function ReportCallback() {
  useEffect(() => {
    const { search } = window.location;
    if (search === "") return;
    window.history.replaceState(null, "", window.location.pathname);
    announceCallback(search);
    window.close();
  }, []);
  return null;
}
