"use client";
import { useState } from "react";
import { whoAmI } from "./actions.ts";

export function Act() {
  const [answer, setAnswer] = useState("not asked");
  const ask = async () => setAnswer(await whoAmI().catch(() => "refused"));
  return (
    <p>
      <button type="button" onClick={ask}>
        Who am I?
      </button>{" "}
      <output>{answer}</output>
    </p>
  );
}
