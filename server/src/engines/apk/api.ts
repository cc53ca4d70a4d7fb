import type { PackageInfo as InfoSchema, imageTypes, SignatureVerdict } from '@mooring/contract/app/package';
import type { z } from 'zod';

/** The picture of an app, as it lies in the package: never one that holds code. */
export interface PackageIcon {
  readonly type: (typeof imageTypes)[number];
  readonly bytes: Uint8Array;
}

export interface PackageInfo extends z.infer<typeof InfoSchema> {
  readonly icon: PackageIcon | null;
}

export interface ReadPackage {
  readonly info: PackageInfo;
  readonly signature: SignatureVerdict;
}

/** Whose private key lies elsewhere: bytes go out to be signed. An EC signature comes as DER, an RSA one by PKCS #1 v1.5. */
export interface ApkSigner {
  /** DER, the signer's own first. */
  readonly certificates: readonly Uint8Array[];
  readonly algorithm: 'rsa' | 'ec';
  sign(digest: 'sha256' | 'sha512', data: Uint8Array): Promise<Uint8Array>;
}

export interface SignRequest {
  readonly from: string;
  readonly to: string;
  readonly signer: ApkSigner;
  /** Below 24 there is a v1 signature too. */
  readonly minSdk: number;
  /** Of a rotated key: the proof (`proveRotation`), and the oldest key, which v1 and v2 are signed with for Androids that know no rotation. */
  readonly lineage?: { readonly proof: Uint8Array; readonly oldest: ApkSigner };
}

/** Reads a package in a thread of its own. Throws the fault PACKAGE_UNREADABLE with the rule that it breaks. */
export type ReadPackageFile = (path: string) => Promise<ReadPackage>;
/** The signature alone, of a package or of a plain JAR. */
export type VerifyPackageFile = (path: string) => Promise<SignatureVerdict>;
/** Writes a signed copy, aligned. */
export type SignPackageFile = (request: SignRequest) => Promise<void>;
