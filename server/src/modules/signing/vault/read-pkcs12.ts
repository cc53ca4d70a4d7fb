import { type Der, octetsOf, oidOf, partOf, partsOf, readBer } from '@mooring/apk/cms/der';
import { DATA } from '@mooring/apk/cms/object-names';
import { Fault } from '@mooring/contract/kit/fault';
import { keyLimits } from '@mooring/contract/signing/limits';
import { checkMac, decrypted, decryptedKey } from './password-cipher.ts';

const ENCRYPTED = '1.2.840.113549.1.7.6';
const BAG = '1.2.840.113549.1.12.10.1.';
const FRIENDLY = '1.2.840.113549.1.9.20';
const LOCAL_ID = '1.2.840.113549.1.9.21';

/** A private key as it lies in a file, by the name that it has there, with certificates in some order. */
export interface RawEntry {
  readonly alias: string;
  /** PKCS #8. */
  readonly key: Buffer;
  readonly certificates: readonly Buffer[];
}

const attributes = (bag: Der): ReadonlyMap<string, Der> =>
  new Map(partsOf(bag)[2] ? partsOf(partOf(bag, 2)).map((one) => [oidOf(partOf(one, 0)), partOf(partOf(one, 1), 0)]) : []);
const aliasOf = (of: ReadonlyMap<string, Der>): string | undefined => {
  const name = of.get(FRIENDLY);
  return name && Buffer.from(name.body).swap16().toString('utf16le').slice(0, 200);
};

function bagsOf(content: Der, password: string | undefined): Der[] {
  const kind = oidOf(partOf(content, 0));
  const inner = partOf(partOf(content, 1), 0);
  if (kind === DATA) return partsOf(readBer(octetsOf(inner)));
  if (kind !== ENCRYPTED) throw new Fault('KEY_FILE_CIPHER', { fields: { file: 'fault.KEY_FILE_CIPHER' } });
  const encrypted = partOf(inner, 1);
  return partsOf(readBer(decrypted(partOf(encrypted, 1), octetsOf(partOf(encrypted, 2)), password)));
}

/** PKCS #12 (RFC 7292), in DER as `openssl` and `keytool` write it, or with open lengths and in parts as Bouncy Castle does. */
export function readPkcs12(file: Der, password: string | undefined): RawEntry[] {
  const [, safe, mac] = partsOf(file);
  if (!safe || oidOf(partOf(safe, 0)) !== DATA) throw new Fault('KEY_FILE_UNREAD', { fields: { file: 'fault.KEY_FILE_UNREAD' } });
  const content = octetsOf(partOf(partOf(safe, 1), 0));
  if (mac) checkMac(mac, content, password);
  const bags = partsOf(readBer(content)).flatMap((one) => bagsOf(one, password));
  if (bags.length > keyLimits.entries)
    throw new Fault('KEY_FILE_MANY', { fields: { file: 'fault.KEY_FILE_MANY' }, params: { most: keyLimits.entries } });
  const certificates = bags.flatMap((bag) =>
    oidOf(partOf(bag, 0)) === `${BAG}3` ? [Buffer.from(partOf(partOf(partOf(partOf(bag, 1), 0), 1), 0).body)] : [],
  );
  return bags.flatMap((bag, at) => {
    const kind = oidOf(partOf(bag, 0));
    if (kind !== `${BAG}1` && kind !== `${BAG}2`) return [];
    const value = partOf(partOf(bag, 1), 0);
    const of = attributes(bag);
    const alias = aliasOf(of) ?? of.get(LOCAL_ID)?.body.toString('hex').slice(0, 40) ?? String(at + 1);
    return [{ alias, key: kind === `${BAG}1` ? Buffer.from(value.raw) : decryptedKey(value, password), certificates }];
  });
}
