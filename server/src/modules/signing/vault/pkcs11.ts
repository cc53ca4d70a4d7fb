// The C interface of PKCS #11 v2.40, as much of it as keys that sign need. Structures are laid out by hand: naturally aligned, and packed on Windows.

/** A function of the library answered otherwise than by CKR_OK. */
export class Pkcs11Error extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`CKR 0x${code.toString(16)}`);
    this.code = code;
  }
}

export const CKR = {
  CRYPTOKI_ALREADY_INITIALIZED: 0x191,
  PIN_INCORRECT: 0xa0,
  PIN_LEN_RANGE: 0xa2,
  PIN_LOCKED: 0xa4,
  USER_ALREADY_LOGGED_IN: 0x100,
} as const;
export const CKF = { PIN_FINAL_TRY: 0x20000, PIN_LOCKED: 0x40000 } as const;
export const CKM = { RSA_GENERATE: 0x0, RSA_PKCS: 0x1, EC_GENERATE: 0x1040, ECDSA: 0x1041 } as const;
export const CKO = { PUBLIC_KEY: 2, PRIVATE_KEY: 3 } as const;
const types = {
  CLASS: 0x0,
  TOKEN: 0x1,
  PRIVATE: 0x2,
  LABEL: 0x3,
  ID: 0x102,
  SENSITIVE: 0x103,
  SIGN: 0x108,
  VERIFY: 0x10a,
  MODULUS: 0x120,
  MODULUS_BITS: 0x121,
  PUBLIC_EXPONENT: 0x122,
  EXTRACTABLE: 0x162,
  EC_PARAMS: 0x180,
  EC_POINT: 0x181,
} as const;
type Attribute = keyof typeof types;
/** A number is a CK_ULONG. */
export type Template = Readonly<Partial<Record<Attribute, boolean | number | Buffer>>>;

/** Places in CK_FUNCTION_LIST, and what each parameter is: a byte, a number or a pointer. */
const functions = {
  C_Initialize: [0, 'p'],
  C_Finalize: [1, 'p'],
  C_GetSlotList: [4, 'bpp'],
  C_GetTokenInfo: [6, 'np'],
  C_OpenSession: [12, 'nnppp'],
  C_GetSessionInfo: [15, 'np'],
  C_Login: [18, 'nnpn'],
  C_DestroyObject: [22, 'nn'],
  C_GetAttributeValue: [24, 'nnpn'],
  C_FindObjectsInit: [26, 'npn'],
  C_FindObjects: [27, 'npnp'],
  C_FindObjectsFinal: [28, 'n'],
  C_SignInit: [42, 'npn'],
  C_Sign: [43, 'npnpp'],
  C_GenerateKeyPair: [59, 'nppnpnpp'],
} as const;
type Name = keyof typeof functions;
type Value = number | Buffer | null;
const kinds: Readonly<Record<string, string>> = { b: 'uint8_t', n: 'unsigned long', p: 'void *' };

export interface Pkcs11 {
  initialize(): void;
  finalize(): void;
  slots(): number[];
  token(slot: number): { readonly label: string; readonly serial: string; readonly flags: number };
  open(slot: number): number;
  check(session: number): void;
  login(session: number, pin: Buffer): void;
  find(session: number, template: Template): number[];
  read(session: number, object: number, attribute: Attribute): Buffer;
  generate(session: number, mechanism: number, publicKey: Template, privateKey: Template): { publicKey: number; privateKey: number };
  sign(session: number, key: number, mechanism: number, data: Buffer, most: number): Buffer;
  destroy(session: number, object: number): void;
}

type Koffi = typeof import('koffi');
/** Loads a library. What goes wrong there comes as it is; every function throws Pkcs11Error. */
export function loadPkcs11(koffi: Koffi, path: string): Pkcs11 {
  const LONG = koffi.sizeof('unsigned long');
  const POINTER = koffi.sizeof('void *');
  const isPacked = process.platform === 'win32';
  // A library brings an OpenSSL of its own: its calls must not end in the one of Node, which has the same names.
  const library = koffi.load(path, { deep: true });
  const found: [unknown] = [null];
  const got = library.func('unsigned long C_GetFunctionList(_Out_ void **list)')(found) as number;
  if (got !== 0) throw new Pkcs11Error(got);
  const first = isPacked ? 2 : POINTER;
  const bound = new Map<Name, (args: readonly Value[]) => number>();
  const bind = (name: Name) => {
    const [place, params] = functions[name];
    const at = koffi.decode(found[0], first + place * POINTER, 'void *');
    const shape = koffi.proto(
      'unsigned long',
      [...params].map((kind) => kinds[kind] ?? ''),
    );
    const made = (args: readonly Value[]) => Number(koffi.call(at, shape, ...args));
    bound.set(name, made);
    return made;
  };
  const ask = (name: Name, ...args: readonly Value[]): number => (bound.get(name) ?? bind(name))(args);
  const call = (name: Name, ...args: readonly Value[]): void => {
    const code = ask(name, ...args);
    if (code !== 0) throw new Pkcs11Error(code);
  };

  const put = (bytes: Buffer, at: number, value: number): void => {
    if (LONG === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUInt32LE(value, at);
  };
  const get = (bytes: Buffer, at = 0): number => (LONG === 8 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at));
  const long = (value: number): Buffer => {
    const bytes = Buffer.alloc(LONG);
    put(bytes, 0, value);
    return bytes;
  };
  const pointerAt = isPacked ? LONG : Math.max(LONG, POINTER);
  const lengthAt = pointerAt + POINTER;
  const TRIPLE = isPacked ? lengthAt + LONG : lengthAt + Math.max(LONG, POINTER);
  /** CK_ATTRIBUTE or CK_MECHANISM: a number, an address, a length. */
  const triple = (into: Buffer, at: number, type: number, value: Buffer | null): void => {
    put(into, at, type);
    into.writeBigUInt64LE(value && value.length > 0 ? koffi.address(value) : 0n, at + pointerAt);
    put(into, at + lengthAt, value?.length ?? 0);
  };
  const bytesOf = (value: boolean | number | Buffer): Buffer => {
    if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0]);
    return typeof value === 'number' ? long(value) : value;
  };
  /** Runs with the structures of a template, whose values stay where they are until it has run. */
  const withTemplate = <T>(template: Template, run: (bytes: Buffer, count: number) => T): T => {
    const values = Object.entries(template).map(([name, value]) => [types[name as Attribute], bytesOf(value)] as const);
    const bytes = Buffer.alloc(TRIPLE * values.length);
    for (const [at, [type, value]] of values.entries()) triple(bytes, at * TRIPLE, type, value);
    try {
      return run(bytes, values.length);
    } finally {
      values.length = 0;
    }
  };
  const mechanism = (type: number): Buffer => {
    const bytes = Buffer.alloc(TRIPLE);
    triple(bytes, 0, type, null);
    return bytes;
  };

  return {
    initialize() {
      const code = ask('C_Initialize', null);
      if (code !== 0 && code !== CKR.CRYPTOKI_ALREADY_INITIALIZED) throw new Pkcs11Error(code);
    },
    finalize() {
      ask('C_Finalize', null);
    },
    slots() {
      const count = long(0);
      call('C_GetSlotList', 1, null, count);
      const list = Buffer.alloc(LONG * (get(count) + 8));
      put(count, 0, list.length / LONG);
      call('C_GetSlotList', 1, list, count);
      return Array.from({ length: get(count) }, (_none, at) => get(list, at * LONG));
    },
    token(slot) {
      // CK_TOKEN_INFO: label 32, manufacturer 32, model 16, serial number 16, flags; and figures that nothing here needs.
      const info = Buffer.alloc(512);
      call('C_GetTokenInfo', slot, info);
      const text = (from: number, to: number) => info.toString('utf8', from, to).replace(/[\s\0]+$/, '');
      return { label: text(0, 32), serial: text(80, 96), flags: get(info, 96) };
    },
    open(slot) {
      const session = long(0);
      // CKF_SERIAL_SESSION | CKF_RW_SESSION
      call('C_OpenSession', slot, 6, null, null, session);
      return get(session);
    },
    check: (session) => call('C_GetSessionInfo', session, Buffer.alloc(LONG * 4)),
    // CKU_USER
    login: (session, pin) => call('C_Login', session, 1, pin, pin.length),
    find(session, template) {
      withTemplate(template, (bytes, count) => call('C_FindObjectsInit', session, bytes, count));
      const [list, count] = [Buffer.alloc(LONG * 4), long(0)];
      try {
        call('C_FindObjects', session, list, 4, count);
      } finally {
        ask('C_FindObjectsFinal', session);
      }
      return Array.from({ length: get(count) }, (_none, at) => get(list, at * LONG));
    },
    read(session, object, attribute) {
      const into = Buffer.alloc(TRIPLE);
      triple(into, 0, types[attribute], null);
      call('C_GetAttributeValue', session, object, into, 1);
      const value = Buffer.alloc(Math.min(get(into, lengthAt), 4096));
      triple(into, 0, types[attribute], value);
      call('C_GetAttributeValue', session, object, into, 1);
      return value.subarray(0, get(into, lengthAt));
    },
    generate(session, type, publicKey, privateKey) {
      const [one, other] = [long(0), long(0)];
      withTemplate(publicKey, (open, opens) =>
        withTemplate(privateKey, (hidden, hides) =>
          call('C_GenerateKeyPair', session, mechanism(type), open, opens, hidden, hides, one, other),
        ),
      );
      return { publicKey: get(one), privateKey: get(other) };
    },
    sign(session, key, type, data, most) {
      call('C_SignInit', session, mechanism(type), key);
      const [signature, length] = [Buffer.alloc(most), long(most)];
      call('C_Sign', session, data, data.length, signature, length);
      return signature.subarray(0, get(length));
    },
    destroy: (session, object) => call('C_DestroyObject', session, object),
  };
}
