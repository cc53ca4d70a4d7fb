import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { pemBlocks, readBer, readDer } from '@mooring/apk/cms/der';
import { Fault } from '@mooring/contract/kit/fault';
import { type KeyAlgorithm, keyLimits } from '@mooring/contract/signing/limits';
import { beginRounds, decryptedKey } from './password-cipher.ts';
import { algorithmOf, algorithmText, publicBytes } from './private-key.ts';
import type { FileEntry, KeyFile } from './protocol.ts';
import { JKS, readJks } from './read-jks.ts';
import { type RawEntry, readPkcs12 } from './read-pkcs12.ts';

interface Entry extends FileEntry {
  readonly key: KeyObject;
  readonly known: KeyAlgorithm | undefined;
}
const ofFile = (name: string, params: Readonly<Record<string, string | number>> = {}) =>
  new Fault(name, { fields: { file: `fault.${name}` }, params: { ...params } });

/** PEM: a key of one of its kinds, and certificates. */
function readPem(text: string, password: string | undefined): RawEntry[] {
  if (/Proc-Type:\s*4,ENCRYPTED/.test(text)) throw ofFile('KEY_FILE_CIPHER');
  if (
    [/-----BEGIN [A-Z ]*PRIVATE KEY-----/g, /-----BEGIN CERTIFICATE-----/g].some(
      (one) => (text.match(one)?.length ?? 0) > keyLimits.entries,
    )
  )
    throw ofFile('KEY_FILE_MANY', { most: keyLimits.entries });
  const certificates = pemBlocks(text, 'CERTIFICATE');
  const pkcs8 = (key: Buffer, type: 'pkcs8' | 'pkcs1' | 'sec1') =>
    createPrivateKey({ key, type, format: 'der' }).export({ type: 'pkcs8', format: 'der' });
  const keys = [
    ...pemBlocks(text, 'PRIVATE KEY').map((one) => pkcs8(one, 'pkcs8')),
    ...pemBlocks(text, 'RSA PRIVATE KEY').map((one) => pkcs8(one, 'pkcs1')),
    ...pemBlocks(text, 'EC PRIVATE KEY').map((one) => pkcs8(one, 'sec1')),
    ...pemBlocks(text, 'ENCRYPTED PRIVATE KEY').map((one) => decryptedKey(readDer(one), password)),
  ];
  return keys.map((key, at) => ({ alias: String(at + 1), key, certificates }));
}

function rawEntries({ file, password, keyPassword }: KeyFile): RawEntry[] {
  if (file.length >= 4 && file.readUInt32BE() === JKS) return readJks(file, password, keyPassword);
  const text = file.toString('latin1');
  if (text.includes('-----BEGIN ')) return readPem(text, password);
  return readPkcs12(readBer(file), password);
}

/** The certificate of the key first, then whoever issued the one before; the others are left out. */
function chainFor(key: KeyObject, certificates: readonly Buffer[]): Buffer[] {
  const all = certificates.map((raw) => ({ raw, read: new X509Certificate(raw) }));
  const own = publicBytes(key);
  const chain: typeof all = [];
  let next = all.find(({ read }) => publicBytes(read.publicKey).equals(own));
  while (next && !chain.includes(next) && chain.length < keyLimits.chain) {
    chain.push(next);
    const last = next.read;
    next = all.find(({ read }) => !chain.some((one) => one.read === read) && last.checkIssued(read) && last.verify(read.publicKey));
  }
  return chain.map(({ raw }) => raw);
}

/** Which one is meant is said by its name alone. */
export function namedApart<T extends { readonly alias: string }>(entries: readonly T[]): T[] {
  const taken = new Set<string>();
  return entries.map((one) => {
    let alias = one.alias;
    for (let at = 2; taken.has(alias); at++) alias = `${one.alias.slice(0, 190)} (${at})`;
    taken.add(alias);
    return { ...one, alias };
  });
}

/** Every private key of a file. Faults: KEY_FILE_*, KEY_ENTRY_PASSWORD. */
export function entriesOf(of: KeyFile): Entry[] {
  beginRounds();
  try {
    const found = rawEntries(of).map(({ alias, key: raw, certificates }) => {
      const key = createPrivateKey({ key: raw, type: 'pkcs8', format: 'der' });
      raw.fill(0);
      const known = algorithmOf(key);
      return { alias, key, known, usable: known !== undefined, algorithm: algorithmText(key), chain: chainFor(key, certificates) };
    });
    if (found.length === 0) throw ofFile('KEY_FILE_EMPTY');
    return namedApart(found);
  } catch (error) {
    if (error instanceof Fault) throw error;
    // Whatever a parser says of it: its words may hold what it read.
    throw ofFile('KEY_FILE_UNREAD');
  }
}

/** The one that was chosen, or the only one. Faults: KEY_ALIAS, KEY_ALGORITHM. */
export function chosen(entries: readonly Entry[], alias: string | undefined): Entry & { readonly algorithm: KeyAlgorithm } {
  const found = alias === undefined && entries.length === 1 ? entries[0] : entries.find((one) => one.alias === alias);
  if (!found) throw new Fault('KEY_ALIAS', { fields: { alias: 'fault.KEY_ALIAS' } });
  if (!found.known) throw ofFile('KEY_ALGORITHM', { algorithm: found.algorithm });
  return { ...found, algorithm: found.known };
}
