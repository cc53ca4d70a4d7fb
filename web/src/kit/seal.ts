import { loginCalls } from '@mooring/contract/auth/calls';
import type { Call } from '@mooring/contract/kit/call';
import { MOST_SEALED, metadataOf, type Seal, walk } from '@mooring/contract/kit/schema';
import { t } from '../ui/words.ts';
import { callError } from './outcome.ts';

type Path = readonly (string | number)[];
export interface SealedField {
  readonly path: Path;
  readonly purpose: string;
  readonly text: string;
}

/** The fields of an input that the contract marks as secrets. */
export function sealedFields(call: Pick<Call, 'input'>, input: unknown): SealedField[] {
  const found = new Map<string, SealedField>();
  walk(call.input, input, (schema, path, value) => {
    const purpose = metadataOf(schema)?.sealed;
    if (purpose !== undefined && typeof value === 'string') found.set(path.join('.'), { path, purpose, text: value });
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
const base64Of = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
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

function checkLength({ path, text }: SealedField): void {
  if (new TextEncoder().encode(text).length <= MOST_SEALED) return;
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
  return { keyId: challenge.keyId, nonce: challenge.nonce, data: base64Of(data) };
}

function put(target: unknown, path: Path, value: unknown): void {
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], target);
  (holder as Record<string | number, unknown>)[path.at(-1) as string] = value;
}

/** The input with its secrets sealed, each with a nonce of its own (a nonce works once). */
export async function sealInput(
  call: Call,
  input: unknown,
  challenge: (call: typeof loginCalls.random) => Promise<Challenge>,
): Promise<unknown> {
  const fields = sealedFields(call, input);
  if (fields.length === 0) return input;
  if (!globalThis.crypto?.subtle) throw callError({ code: 400, message: t('kit.seal.insecure') });
  fields.forEach(checkLength);
  const copy = structuredClone(input);
  for (const field of fields) put(copy, field.path, await sealOne(field, await challenge(loginCalls.random)));
  return copy;
}
