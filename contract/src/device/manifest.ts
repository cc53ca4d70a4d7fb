import { z } from 'zod';

/** Version names of packages, firmware and apps. */
export const Version = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/, 'invalid.version');
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** TA is a full package, DI a difference to its base (design 2, "Things"). */
export const PackageKind = z.enum(['TA', 'DI']);

/** Names of parts that have versions of their own, as terminals report them. */
export const PartName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, 'invalid.partName');

/** Package names of Android (application ids). */
export const AppPackage = z
  .string()
  .max(255)
  .regex(/^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/, 'invalid.packageName');
/** Which app a package is, and whose: a terminal installs nothing else under it. */
export const AppIdentity = z.object({
  packageName: AppPackage,
  versionCode: z.int().min(0),
  /** SHA-256 of the certificate that signed it, in DER. */
  certificate: Sha256,
});

/** What a release key signs: everything that decides where and over what a package may go. */
export const Manifest = z.object({
  product: z.string().min(1).max(64),
  kind: PackageKind,
  version: Version,
  base: Version.nullable(),
  size: z.int().positive(),
  sha256: Sha256,
  keyId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  /** Of a DI package: what it makes of its base. */
  fullSize: z.int().positive().optional(),
  fullSha256: Sha256.optional(),
  /** Kind of release that it is for. Absent means firmware; a terminal refuses one that isn't its deployment's kind. */
  content: z.string().max(32).optional(),
  /** The part of which it is a version, where the kind has several. */
  name: PartName.optional(),
  /** Where it is an app. `version` is its code then: names of versions are free text. */
  app: AppIdentity.optional(),
});
export type Manifest = z.infer<typeof Manifest>;

/**
 * The signed bytes, in UTF-8. Field order is part of the protocol: `jq -cj '{product,kind,version,base,size,sha256,keyId}'`
 * makes the same text of a TA package; a DI package has `fullSize` and `fullSha256` behind these, and one of another kind than firmware `content` and `name`, and an app `app` (`packageName`, `versionCode`, `certificate`) last.
 */
export function manifestText(manifest: Manifest): string {
  const { product, kind, version, base, size, sha256, keyId, fullSize, fullSha256, content, name } = manifest;
  const { packageName, versionCode, certificate } = manifest.app ?? {};
  const app = manifest.app && { packageName, versionCode, certificate };
  // What is undefined isn't written.
  return JSON.stringify({ product, kind, version, base, size, sha256, keyId, fullSize, fullSha256, content, name, app });
}

/** A release key, vouched for by the root key that a terminal got when it enrolled. Keys are SPKI DER in base64. */
export const ReleaseKey = z.object({
  id: Manifest.shape.keyId,
  publicKey: z.string().max(256),
  signature: z.string().max(256),
});
export type ReleaseKey = z.infer<typeof ReleaseKey>;

/** What the root key signs of a release key. */
export const releaseKeyText = (key: Pick<ReleaseKey, 'id' | 'publicKey'>): string => `mooring-release-key:${key.id}:${key.publicKey}`;
