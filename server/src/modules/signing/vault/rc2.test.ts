import { expect, test } from 'vitest';
import { decryptRc2 } from './rc2.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const key16 = '88bca90e 90875a7f 0f79c384 627bafb2';

test.each([
  ['00000000 00000000', 63, '00000000 00000000', 'ebb773f9 93278eff'],
  ['ffffffff ffffffff', 64, 'ffffffff ffffffff', '278b27e4 2e2f0d49'],
  ['30000000 00000000', 64, '10000000 00000001', '30649edf 9be7d2c2'],
  ['88', 64, '00000000 00000000', '61a8a244 adacccf0'],
  ['88bca90e 90875a', 64, '00000000 00000000', '6ccf4308 974c267f'],
  [key16, 64, '00000000 00000000', '1a807d27 2bbe5db1'],
  [key16, 128, '00000000 00000000', '2269552a b0f85ca6'],
  [`${key16} 16f80a6f 85920584 c42fceb0 be255daf 1e`, 129, '00000000 00000000', '5b78d3a4 3dfff1f1'],
] as const)('vector of RFC 2268, section 5: key %s, %d bits', (key, bits, plain, cipher) => {
  // After a beginning that makes of it a block of padding alone.
  const iv = Buffer.from(hex(plain).map((byte) => byte ^ 8));
  expect(decryptRc2(hex(key), bits, iv, hex(cipher))).toEqual(Buffer.alloc(0));
  iv[0] = (iv[0] ?? 0) ^ 1;
  expect(() => decryptRc2(hex(key), bits, iv, hex(cipher))).toThrow('no padding');
});

test.each([0, 7, 9])('%d bytes are no blocks', (length) => {
  expect(() => decryptRc2(hex(key16), 128, Buffer.alloc(8), Buffer.alloc(length))).toThrow('no whole blocks');
});
