export const keyAlgorithms = ['rsa2048', 'rsa3072', 'rsa4096', 'p256', 'p384'] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];

/** Where the keys of a store are: with the server, under the vault's seal, or in a hardware token (PKCS #11). */
export const storeKinds = ['software', 'token'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** What is left of a destroyed key on the token that made it: for the next turn, on a token that is elsewhere, kept by the token, or forgotten by two people. */
export const keyRemains = ['waits', 'elsewhere', 'kept', 'forgotten'] as const;

/** Why the token can't be used: not set on this server, what calls its library missing, the library, the token, its PIN, the device, the process. */
export const tokenReasons = [
  'unset',
  'library',
  'module',
  'token',
  'other',
  'pinFile',
  'pin',
  'lastTry',
  'locked',
  'device',
  'process',
] as const;
export type TokenReason = (typeof tokenReasons)[number];

/** How a file is signed: an Android package by its own schemes, or anything by a signature beside it (CMS, RFC 5652). */
export const signProfiles = ['apk', 'cms'] as const;
export type SignProfile = (typeof signProfiles)[number];

/** By which a signature that is made elsewhere may be asked for. */
export const digests = ['sha256', 'sha384', 'sha512'] as const;

/** Bytes of a signature beside a file: certificates and a time stamp included. */
export const MOST_BESIDE = 300_000;

/** Requests that aren't over, and bytes that are kept for them: of one person, and of one organisation. */
export const jobLimits = {
  person: { open: 20, bytes: 16 * 1024 ** 3 },
  organisation: { open: 200, bytes: 128 * 1024 ** 3 },
  /** Characters of signatures that come from elsewhere. */
  delivered: 4000,
} as const;

export const keyLimits = { keysOfStore: 200, chain: 8, line: 16, rounds: 1_000_000, roundsOfFile: 3_000_000, entries: 50 } as const;
