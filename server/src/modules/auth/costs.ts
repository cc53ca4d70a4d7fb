/** What guessing costs whoever guesses, and us each time that somebody signs in. Most tests pay less (`server/test/cheap-guesses.setup.ts`). */

/** Design 5, "People": argon2id, 64 MiB, t=3, p=1 (118 ms); rehash when these grow. */
export const fullPasswordCost = { memory: 65_536, passes: 3, parallelism: 1, tagLength: 32 } as const;
export const passwordCost: Record<keyof typeof fullPasswordCost, number> = { ...fullPasswordCost };

/** Hashes of the least work that a proof asks for: some hundredths of a second in a browser. Each level doubles them. */
export const proofCost = { leastHashes: 8_000 };
