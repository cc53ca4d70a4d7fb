// Schemas are read, not compiled: the content policy allows no code made from text, and even asking whether it does is reported.
globalThis.__zod_globalConfig = { jitless: true };
