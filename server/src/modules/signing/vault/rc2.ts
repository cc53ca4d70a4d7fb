// RC2 (RFC 2268) to read key files of older programs: OpenSSL 3 has it in a provider alone that Node doesn't load. It encrypts nothing here.

/** Digits of pi (section 2). */
const PI = Buffer.from(
  `d978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82
54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb6266fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7
08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731
2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad`.replaceAll(
    '\n',
    '',
  ),
  'hex',
);
const ROTATED = [1, 2, 3, 5] as const;
const BLOCK = 8;

/** 64 words of a key of which so many bits count. */
function expanded(key: Buffer, bits: number): Uint16Array {
  const bytes = new Uint8Array(128);
  bytes.set(key);
  const at = (place: number): number => bytes[place] ?? 0;
  const pi = (place: number): number => PI[place & 0xff] ?? 0;
  for (let place = key.length; place < 128; place++) bytes[place] = pi(at(place - 1) + at(place - key.length));
  const length = Math.ceil(bits / 8);
  bytes[128 - length] = pi(at(128 - length) & (0xff >> (8 * length - bits)));
  for (let place = 127 - length; place >= 0; place--) bytes[place] = pi(at(place + 1) ^ at(place + length));
  return Uint16Array.from({ length: 64 }, (_none, word) => at(2 * word) | (at(2 * word + 1) << 8));
}

/** One block, in place. */
function decryptBlock(words: Uint16Array, k: Uint16Array): void {
  const r = (place: number): number => words[place & 3] ?? 0;
  let next = 63;
  const mix = (rounds: number): void => {
    for (let round = 0; round < rounds; round++)
      for (let place = 3; place >= 0; place--) {
        const by = ROTATED[place] ?? 0;
        const turned = (r(place) >>> by) | (r(place) << (16 - by));
        words[place] = turned - (k[next--] ?? 0) - (r(place + 3) & r(place + 2)) - (~r(place + 3) & r(place + 1));
      }
  };
  const mash = (): void => {
    for (let place = 3; place >= 0; place--) words[place] = r(place) - (k[r(place + 3) & 63] ?? 0);
  };
  mix(5);
  mash();
  mix(6);
  mash();
  mix(5);
}

/** In CBC mode, without its padding. Throws where the bytes aren't whole blocks, or weren't padded (RFC 8018, section 6.1.1). */
export function decryptRc2(key: Buffer, bits: number, iv: Buffer, bytes: Buffer): Buffer {
  if (bytes.length === 0 || bytes.length % BLOCK !== 0) throw new Error('no whole blocks');
  const words = expanded(key, bits);
  const plain = Buffer.alloc(bytes.length);
  const block = new Uint16Array(4);
  for (let at = 0; at < bytes.length; at += BLOCK) {
    for (let word = 0; word < 4; word++) block[word] = bytes.readUInt16LE(at + 2 * word);
    decryptBlock(block, words);
    const before = at === 0 ? iv : bytes.subarray(at - BLOCK, at);
    for (let word = 0; word < 4; word++) plain.writeUInt16LE((block[word] ?? 0) ^ before.readUInt16LE(2 * word), at + 2 * word);
  }
  const padding = plain.at(-1) ?? 0;
  const isPadded = padding >= 1 && padding <= BLOCK && plain.subarray(-padding).every((byte) => byte === padding);
  if (!isPadded) throw new Error('no padding');
  return plain.subarray(0, -padding);
}
