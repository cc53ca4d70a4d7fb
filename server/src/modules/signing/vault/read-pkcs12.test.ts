import { generateKeyPairSync } from 'node:crypto';
import { type Der, DerError, octets, octetsOf, partsOf, readBer, readDer } from '@mooring/apk/cms/der';
import { expect, test } from 'vitest';
import { entriesOf } from './read-key-file.ts';
import { writePkcs12 } from './write-pkcs12.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateKey.export({ type: 'pkcs8', format: 'der' });
const file = writePkcs12('pay', key, [], 'secret');

const open = (tag: number, parts: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([tag | 0x20, 0x80]), ...parts, Buffer.from([0, 0])]);
/** Lengths left open, and long octet strings in parts of 100 bytes, as some libraries write them. */
function loosely(of: Der): Buffer {
  if ((of.tag & 0x20) !== 0) return open(of.tag, partsOf(of).map(loosely));
  if (of.tag !== 0x04 || of.body.length <= 100) return of.raw;
  const parts: Buffer[] = [];
  for (let at = 0; at < of.body.length; at += 100) parts.push(octets(of.body.subarray(at, at + 100)));
  return open(of.tag, parts);
}

test('a key file with open lengths and octets in parts is read as one in DER', () => {
  const loose = loosely(readDer(file));
  expect(loose.equals(file)).toBe(false);
  for (const bytes of [file, loose]) {
    const [entry, ...more] = entriesOf({ file: bytes, password: 'secret', keyPassword: undefined });
    expect([entry?.alias, more.length]).toEqual(['pay', 0]);
    expect(entry?.key.export({ type: 'pkcs8', format: 'der' }).equals(key)).toBe(true);
  }
});

test('lengths that never close, and octets without an end of parts, are refused', () => {
  expect(() => readBer(Buffer.from([0x30, 0x80, 0x04, 0x01, 0x00]))).toThrow(DerError);
  let deep = octets(Buffer.from('x'));
  for (let at = 0; at < 5000; at += 1)
    deep = Buffer.concat([Buffer.from([0x24, 0x84]), Buffer.from([0, 0, deep.length >> 8, deep.length & 0xff]), deep]);
  expect(() => octetsOf(readDer(deep))).toThrow(DerError);
});
