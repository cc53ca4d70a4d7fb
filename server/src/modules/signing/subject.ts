import 'reflect-metadata';
import type { X509Certificate } from 'node:crypto';
import { partsOf, readDer, sequence, setOf } from '@mooring/apk/cms/der';
import { Fault } from '@mooring/contract/kit/fault';
import { type JsonName, Name } from '@peculiar/x509';

/** Names of parts beside those that the library knows, as openssl calls them. */
const further = {
  emailAddress: '1.2.840.113549.1.9.1',
  serialNumber: '2.5.4.5',
  street: '2.5.4.9',
  postalCode: '2.5.4.17',
  organizationIdentifier: '2.5.4.97',
  UID: '0.9.2342.19200300.100.1.1',
};
/** The longest that certificates may have (RFC 5280, appendix A.1): authorities refuse what is longer. */
const most: Readonly<Record<string, number>> = { C: 2, CN: 64, O: 64, OU: 64, L: 128, ST: 128, serialNumber: 64 };
const LONGEST = 255;

function isWritten([name, values]: [string, readonly string[]]): boolean {
  if (name === 'C') return values.every((one) => /^[A-Za-z]{2}$/.test(one));
  return values.every((one) => one.trim() !== '' && one.length <= (most[name] ?? LONGEST));
}
/** By its type, since the library reads escapes, quotes and hashes in what comes without one. */
const typed = (name: string, text: string) => {
  if (['DC', 'E', 'emailAddress'].includes(name)) return { ia5String: text };
  return Name.isPrintableString(text) ? { printableString: text } : { utf8String: text };
};
const asTyped = (part: JsonName[number]) =>
  Object.fromEntries(Object.entries(part).map(([name, values]) => [name, values.map((one) => typed(name, one))]));
const isTop = (part: JsonName[number] | undefined): boolean => part !== undefined && ['C', 'DC'].some((name) => name in part);

const bare = (value: string) => value.replaceAll(/\\(.)/gs, '$1');
/** Between slashes commas and quotes are letters like others, and a plus joins two names of one part. */
const inPath = (path: string): JsonName =>
  path.split(/(?<!\\)\//).map((part) => {
    const values = part.split(/(?<!\\)\+/).map((one): [string, string[]] => {
      const [name = '', ...value] = one.split('=');
      return [name.trim(), [bare(value.join('='))]];
    });
    const named = Object.fromEntries(values);
    if (Object.keys(named).length < values.length) throw new Error('twice');
    return named;
  });
/** `C = DE`, as openssl printed until its third version. Within quotes it is a value. */
const closed = (text: string) => (text.includes('"') ? text : text.replace(/(^|[,+])(\s*[\w.]+)\s*=\s*/g, '$1$2='));

/** As people write it (RFC 4514): the last part is the country. `/C=…/CN=…`, or one that begins with its country, is as openssl has it. */
function partsIn(text: string): JsonName {
  if (text.startsWith('/')) return inPath(text.slice(1).replace(/\/$/, ''));
  // Bytes in place of words (RFC 4514, section 2.4).
  if (/=\s*#/.test(text)) throw new Error('bytes');
  const parts = new Name(closed(text), further).toJSON();
  return isTop(parts[0]) && !isTop(parts.at(-1)) ? parts : parts.reverse();
}

/** In certificates and requests the country is the first. Fault: KEY_SUBJECT. */
export function subjectBytes(subject: string): Buffer {
  try {
    const parts = partsIn(subject);
    const named = readDer(Buffer.from(new Name(parts.map(asTyped), further).toArrayBuffer()));
    // In DER the values of a part stand in the order of their bytes, whichever they were written in.
    const bytes = sequence(...partsOf(named).map((part) => setOf(...partsOf(part).map(({ raw }) => raw))));
    if (bytes.length < 8 || bytes.length > 1000) throw new Error('length');
    if (!parts.every((part) => Object.entries(part).every(isWritten))) throw new Error('part');
    return bytes;
  } catch {
    throw new Fault('KEY_SUBJECT', { fields: { subject: 'fault.KEY_SUBJECT' } });
  }
}

/** A name of a certificate in one line, the most special part first (RFC 4514); Node has none for an empty one. */
export const inOneLine = (name: string | undefined): string => (name ?? '').split('\n').reverse().join(', ');

/** Whom a certificate is of. */
export const subjectOf = ({ subject }: X509Certificate): string => inOneLine(subject);
