export const keyAlgorithms = ['rsa2048', 'rsa3072', 'rsa4096', 'p256', 'p384'] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];

/** How a file is signed: an Android package by its own schemes, or anything by a signature beside it (CMS, RFC 5652). */
export const signProfiles = ['apk', 'cms'] as const;
export type SignProfile = (typeof signProfiles)[number];

/** Requests that aren't over, and bytes that are kept for them: of one person, and of one organisation. */
export const jobLimits = {
  person: { open: 20, bytes: 16 * 1024 ** 3 },
  organisation: { open: 200, bytes: 128 * 1024 ** 3 },
} as const;

export const keyLimits = { keysOfStore: 200, chain: 8, rounds: 1_000_000, roundsOfFile: 3_000_000, entries: 50 } as const;
