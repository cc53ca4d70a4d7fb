import { loginCalls } from '@mooring/contract/auth/calls';
import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import { MOST_SEALED, metadataOf, type Seal, walk } from '@mooring/contract/kit/schema';
import { vaultSealCalls } from '@mooring/contract/signing/vault-seal';
import { t } from '../ui/words.ts';
import { callError } from './outcome.ts';

type Path = readonly (string | number)[];
export interface SealedField {
  readonly path: Path;
  readonly purpose: string;
  readonly text: string;
  /** Sealed for the vault of signing keys, which the server hands it to unopened. */
  readonly forVault: boolean;
}

/** The fields of an input that the contract marks as secrets. */
export function sealedFields(call: Pick<Call, 'input'>, input: unknown): SealedField[] {
  const found = new Map<string, SealedField>();
  walk(call.input, input, (schema, path, value) => {
    const { sealed, vaultSealed } = metadataOf(schema) ?? {};
    const purpose = sealed ?? vaultSealed;
    if (purpose === undefined || typeof value !== 'string') return;
    found.set(path.join('.'), { path, purpose, text: value, forVault: vaultSealed !== undefined });
  });
  return [...found.values()];
}

/** An input without its secrets, for what is kept anywhere. */
export function withoutSecrets<V>(call: Pick<Call, 'input'>, input: V): V {
  const fields = sealedFields(call, input);
  if (fields.length === 0) return input;
  const copy = structuredClone(input);
  for (const { path } of fields) put(copy, path, '');
  return copy;
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
/** In pieces: no function takes a million arguments. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
/** SPKI, as PEM or bare base64. */
const keyBytes = (pubKey: string) =>
  bytesOf(
    pubKey
      .replace(/-----[^-]+-----/g, '')
      .replace(/\s+/g, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/'),
  );

interface Challenge {
  readonly pubKey: string;
  readonly keyId: string;
  readonly nonce: string;
}

function checkLength({ path, text, forVault }: SealedField): void {
  if (forVault || new TextEncoder().encode(text).length <= MOST_SEALED) return;
  const message = t('kit.seal.long');
  throw callError({ code: 400, message, fields: { [path.join('.')]: { key: 'kit.seal.long', message } } });
}

async function sealOne({ purpose, text }: SealedField, challenge: Challenge): Promise<Seal> {
  const utf8 = new TextEncoder();
  const key = await crypto.subtle.importKey('spki', keyBytes(challenge.pubKey), { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt']);
  const data = await crypto.subtle.encrypt(
    { name: 'RSA-OAEP', label: utf8.encode(`${purpose}:${challenge.nonce}`) },
    key,
    utf8.encode(text),
  );
  return { keyId: challenge.keyId, nonce: challenge.nonce, data: base64Of(new Uint8Array(data)) };
}

/** docs/api.md, "Sealed for the vault": a key of its own for each secret, agreed on with the vault's (ECDH), then HKDF and AES-GCM. */
async function sealForVault({ purpose, text }: SealedField, publicKey: string): Promise<string> {
  const { subtle } = crypto;
  const utf8 = new TextEncoder();
  const p256 = { name: 'ECDH', namedCurve: 'P-256' };
  const vault = await subtle.importKey('raw', bytesOf(publicKey), p256, false, []);
  const own = await subtle.generateKey(p256, false, ['deriveBits']);
  const point = new Uint8Array(await subtle.exportKey('raw', own.publicKey));
  const shared = await subtle.deriveBits({ name: 'ECDH', public: vault }, own.privateKey, 256);
  const base = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const derived = { name: 'HKDF', hash: 'SHA-256', salt: point, info: utf8.encode(purpose) };
  const key = await subtle.deriveKey(derived, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  const data = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, utf8.encode(text)));
  const whole = new Uint8Array(point.length + data.length);
  whole.set(point);
  whole.set(data, point.length);
  return base64Of(whole);
}

function put(target: unknown, path: Path, value: unknown): void {
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], target);
  (holder as Record<string | number, unknown>)[path.at(-1) as string] = value;
}

type Ask = <C extends Call>(call: C, input: InputOf<C>) => Promise<OutputOf<C>>;

/** The input with its secrets sealed, each with a nonce of its own (a nonce works once). */
export async function sealInput(call: Call, input: unknown, ask: Ask): Promise<unknown> {
  const fields = sealedFields(call, input);
  if (fields.length === 0) return input;
  if (!globalThis.crypto?.subtle) throw callError({ code: 400, message: t('kit.seal.insecure') });
  fields.forEach(checkLength);
  const copy = structuredClone(input);
  const vaultKey = fields.some(({ forVault }) => forVault) ? (await ask(vaultSealCalls.sealKey, {})).publicKey : '';
  for (const field of fields)
    put(copy, field.path, field.forVault ? await sealForVault(field, vaultKey) : await sealOne(field, await ask(loginCalls.random, {})));
  return copy;
}
