import type { KeyAlgorithm, StoreKind } from '@mooring/contract/signing/limits';

/** What a private key is made as, or came as: its public half, and the other one sealed by the vault. */
export interface Made {
  readonly kind: StoreKind;
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
  /** Of a key within it, where that has another one. */
  readonly keyPassword: string | undefined;
}
/** The same as it comes from a browser: each part sealed for the vault, as base64. */
export type SealedKeyFile = Readonly<Record<'file', string> & Record<'password' | 'keyPassword', string | undefined>>;
/** Which private key: sealed, or which object of the token it is, with its public half. */
export interface Held {
  /** Where it is, as its store says; what is sealed is bound to it. */
  readonly kind: StoreKind;
  readonly sealed: Buffer;
  readonly publicKey: Buffer;
  /** Whether it may leave the vault: sealed with it, so that nobody changes it beside the vault. */
  readonly exportable: boolean;
}

interface ToSign extends Held {
  readonly digest: 'sha256' | 'sha384' | 'sha512';
  readonly data: Buffer;
}
type Of = { readonly algorithm: KeyAlgorithm };

/** What the vault does. Private bytes lie on its side alone. */
export interface SoftwareActs {
  generate(of: Of & { readonly exportable: boolean }): Promise<Made>;
  /** What a browser seals with. */
  sealKey(of: object): Promise<Buffer>;
  /** Of all that takes a file: KEY_FILE_SEAL. */
  info(of: SealedKeyFile): Promise<FileEntry[]>;
  import(
    of: SealedKeyFile & { readonly alias: string | undefined; readonly exportable: boolean },
  ): Promise<Made & { readonly chain: readonly Buffer[] }>;
  /** PKCS #12 under a password that is made here, and the password sealed here: who has one of them has nothing. */
  export(
    of: Held & { readonly name: string; readonly chain: readonly Buffer[] },
  ): Promise<{ readonly file: Buffer; readonly passwordSealed: Buffer }>;
  /** The password of this file of an export, and of no other one. */
  reveal(of: { readonly sealed: Buffer; readonly file: Buffer }): Promise<string>;
  /** RSA by PKCS #1 v1.5, EC as DER. */
  sign(of: ToSign): Promise<Buffer>;
}

/** `refused`: the mark of the PIN that the token refused last. Any of them: KEY_TOKEN_AWAY, KEY_TOKEN_REFUSED. */
interface Asked {
  readonly refused: string | undefined;
}
/** What the token does, by a process of its own: private halves never leave it. */
export interface TokenActs {
  status(of: Asked): Promise<{ readonly serial: string }>;
  /** What a key will be called there, sealed, before there is one. */
  reserve(of: Asked): Promise<{ readonly sealed: Buffer }>;
  /** Under the name that was reserved for it. */
  generate(of: Asked & Of & { readonly name: string; readonly reserved: Buffer }): Promise<Made>;
  /** Faults: SIGNATURE_MISMATCH, KEY_TOKEN_MISSING. */
  sign(of: Asked & ToSign): Promise<Buffer>;
  /**
   * Whether it is gone, as one that never was is as well; else it is of another token. What was reserved has no public half yet. Of what is only
   * left over, a token that is another one is no reason to begin anew with this one.
   */
  destroy(of: Asked & Held & { readonly isLeft: boolean }): Promise<boolean>;
}
export interface TokenSettings {
  /** Path of the library. */
  readonly module: string;
  readonly label: string;
  readonly pinFile: string;
}

/** The first message brings the key that all is sealed with. */
export interface VaultOrder {
  readonly key: Buffer;
}
export interface TokenOrder extends VaultOrder {
  readonly settings: TokenSettings;
}
/** Down the pipe. */
export type Order<B> = { readonly begin: B } | { readonly id: number; readonly act: string; readonly of: unknown };
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
