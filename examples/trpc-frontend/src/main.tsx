import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiProvider } from "./api.tsx";
import { App } from "./app.tsx";
import { startSession } from "./session.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");

createRoot(root).render(
  <StrictMode>
    <ApiProvider>
      <App />
    </ApiProvider>
  </StrictMode>,
);
await startSession();
