import { renewAddress } from "./http.ts";

// Vitest runs this before each test file, while the files of a worker share their modules.
renewAddress();
