import type { KeyAlgorithm } from '@mooring/contract/signing/limits';

/** What a private key is made as, or came as: its public half, and the other one sealed by the vault. */
export interface Made {
  readonly algorithm: KeyAlgorithm;
  readonly publicKey: Buffer;
  readonly exportable: boolean;
  readonly sealed: Buffer;
}
export interface FileEntry {
  readonly alias: string;
  readonly algorithm: string;
  readonly usable: boolean;
  /** DER, the key's own first. */
  readonly chain: readonly Buffer[];
}
export interface KeyFile {
  readonly file: Buffer;
  readonly password: string | undefined;
}
/** Which private key: sealed, with its public half. */
export interface Held {
  readonly sealed: Buffer;
  readonly publicKey: Buffer;
  /** Whether it may leave the vault: sealed with it, so that nobody changes it beside the vault. */
  readonly exportable: boolean;
}

/** What the vault does. Private bytes lie on its side alone. */
export interface VaultActs {
  generate(of: { readonly algorithm: KeyAlgorithm; readonly exportable: boolean }): Promise<Made>;
  info(of: KeyFile): Promise<FileEntry[]>;
  import(
    of: KeyFile & { readonly alias: string | undefined; readonly exportable: boolean },
  ): Promise<Made & { readonly chain: readonly Buffer[] }>;
  /** PKCS #12 under a password that is made here, and the password sealed here: who has one of them has nothing. */
  export(
    of: Held & { readonly name: string; readonly chain: readonly Buffer[] },
  ): Promise<{ readonly file: Buffer; readonly passwordSealed: Buffer }>;
  /** The password of this file of an export, and of no other one. */
  reveal(of: { readonly sealed: Buffer; readonly file: Buffer }): Promise<string>;
  /** RSA by PKCS #1 v1.5, EC as DER. */
  sign(of: Held & { readonly digest: 'sha256' | 'sha384' | 'sha512'; readonly data: Buffer }): Promise<Buffer>;
}
export type VaultAct = keyof VaultActs;

/** Down the pipe. The first message brings the key that all is sealed with. */
export type Order = { readonly key: Buffer } | { readonly id: number; readonly act: VaultAct; readonly of: unknown };
/** Up again: a wanted failure by its name, any other without a word about what it had in hand. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number;
      readonly fault: string;
      readonly field: string | undefined;
      readonly params: Readonly<Record<string, string | number>>;
    }
  | { readonly id: number; readonly failed: true };
