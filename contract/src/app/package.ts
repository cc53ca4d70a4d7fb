import { z } from 'zod';

/** What a package may break before anything of it is believed. Each has its text, `app.rule.<RULE>`. */
export const packageRules = [
  'NOT_ARCHIVE',
  'ARCHIVE_BROKEN',
  'ARCHIVE_DOUBLED',
  'ARCHIVE_UNEQUAL',
  'ARCHIVE_OVERLAP',
  'ARCHIVE_NAME',
  'ARCHIVE_LINK',
  'ARCHIVE_ENCRYPTED',
  'ARCHIVE_METHOD',
  'ARCHIVE_EXTRA',
  'ARCHIVE_ZIP64',
  'ARCHIVE_MANY',
  'ARCHIVE_LARGE',
  'ARCHIVE_BOMB',
  'MANIFEST_MISSING',
  'MANIFEST_BROKEN',
  'MANIFEST_LARGE',
  'MANIFEST_NAME',
  'MANIFEST_VERSION',
  'MANIFEST_SDK',
  'MANIFEST_SPLIT',
  'RESOURCES_BROKEN',
  'RESOURCES_LARGE',
  'TOO_SLOW',
] as const;
export const PackageRule = z.enum(packageRules);
export type PackageRule = z.infer<typeof PackageRule>;

/** Why a signature doesn't count. Each has its text, `app.signature.<RULE>`. */
export const signatureRules = [
  'UNSIGNED',
  'SEVERAL_SIGNERS',
  'BLOCK_BROKEN',
  'BLOCK_UNKNOWN',
  'BLOCK_DOUBLED',
  'STRIPPED',
  'ALGORITHM',
  'DIGESTS_MIXED',
  'CERTIFICATE_BROKEN',
  'CERTIFICATES_DIFFER',
  'SIGNATURE_WRONG',
  'CONTENT_CHANGED',
  'CONTENT_UNSIGNED',
  'MANIFEST_WRONG',
  'LINEAGE_WRONG',
  'SCHEME_TOO_OLD',
] as const;
export const SignatureRule = z.enum(signatureRules);
export type SignatureRule = z.infer<typeof SignatureRule>;

export const signatureSchemes = ['v1', 'v2', 'v3', 'v3.1'] as const;
export const SignatureScheme = z.enum(signatureSchemes);
export type SignatureScheme = z.infer<typeof SignatureScheme>;

export const imageTypes = ['image/png', 'image/webp', 'image/jpeg'] as const;

/** What a package says of itself, as Android reads it: by the numbers of attributes and resources, not by their names. */
export const PackageInfo = z.strictObject({
  packageName: z.string().max(223),
  /** Both halves of a long one together. */
  versionCode: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** Free text: `1.0.4 [BETA]`, or none. */
  versionName: z.string().max(255),
  minSdk: z.int().min(1),
  targetSdk: z.int().min(1),
  maxSdk: z.int().min(1).nullable(),
  /** Whose user it runs as; '' is its own. */
  sharedUser: z.string().max(255),
  abis: z.array(z.string().max(40)),
  permissions: z.array(z.string().max(255)),
  features: z.array(z.string().max(255)),
  label: z.string().max(255),
  /** By BCP 47 tag; '' is the one of every other language. */
  labels: z.record(z.string().max(35), z.string().max(255)),
  debuggable: z.boolean(),
  testOnly: z.boolean(),
});

export const SignerCertificate = z.strictObject({
  sha256: z.string().length(64),
  subject: z.string().max(1000),
  issuer: z.string().max(1000),
  serial: z.string().max(100),
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  keyAlgorithm: z.enum(['rsa', 'ec', 'dsa', 'other']),
  keyBits: z.int().min(0),
});
export type SignerCertificate = z.infer<typeof SignerCertificate>;

export const SignatureVerdict = z.strictObject({
  /** Null: it holds. */
  wrong: SignatureRule.nullable(),
  /** Those that hold; of a wrong one, those that were found. */
  schemes: z.array(SignatureScheme),
  /** Exactly one is wanted. */
  signers: z.int().min(0),
  /** Of today's key, which newer Android goes by. */
  certificate: SignerCertificate.nullable(),
  /** SHA-256 of the certificates from the oldest to today's, each shown to have named the next; a key that was never rotated stands alone. */
  lineage: z.array(z.string().length(64)),
  /** Signed by a key that everybody has. */
  publicTestKey: z.boolean(),
  /** Lowest API level at which Android would install it; null where none would. */
  validFrom: z.int().min(1).nullable(),
});
export type SignatureVerdict = z.infer<typeof SignatureVerdict>;
