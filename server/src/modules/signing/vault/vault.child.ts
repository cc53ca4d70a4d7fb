import { generateKeyPair, type KeyPairKeyObjectResult, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { Fault } from '@mooring/contract/kit/fault';
import type { KeyAlgorithm } from '@mooring/contract/signing/limits';
import { answerOrders } from './answer-orders.ts';
import { checkPair, openKey, openText, publicBytes, sealKey, sealText } from './private-key.ts';
import type { SoftwareActs, VaultOrder } from './protocol.ts';
import { chosen, entriesOf } from './read-key-file.ts';
import { sealKeyOf, unsealed } from './sealed-file.ts';
import { writePkcs12 } from './write-pkcs12.ts';

// A process of its own, started by the server: private keys are here alone, and only for as long as they sign. It has no network and writes nothing; what is
// sealed here is kept by the server.
let vaultKey: Buffer = Buffer.alloc(0);

const generate = promisify(generateKeyPair) as (type: string, options: object) => Promise<KeyPairKeyObjectResult>;
const how: Readonly<Record<KeyAlgorithm, readonly [string, object]>> = {
  rsa2048: ['rsa', { modulusLength: 2048 }],
  rsa3072: ['rsa', { modulusLength: 3072 }],
  rsa4096: ['rsa', { modulusLength: 4096 }],
  p256: ['ec', { namedCurve: 'prime256v1' }],
  p384: ['ec', { namedCurve: 'secp384r1' }],
};

const sealer = () => sealKeyOf(vaultKey);

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789+';
const acts: SoftwareActs = {
  async generate({ algorithm, exportable }) {
    const { privateKey } = await generate(...how[algorithm]);
    return {
      kind: 'software',
      algorithm,
      publicKey: publicBytes(privateKey),
      exportable,
      sealed: sealKey(vaultKey, privateKey, exportable),
    };
  },
  async sealKey() {
    return sealer().getPublicKey();
  },
  async info(of) {
    return entriesOf(unsealed(sealer(), of)).map(({ alias, algorithm, usable, chain }) => ({ alias, algorithm, usable, chain }));
  },
  async import({ alias, exportable, ...of }) {
    const { key, algorithm, chain } = chosen(entriesOf(unsealed(sealer(), of)), alias);
    checkPair(key);
    return { kind: 'software', algorithm, publicKey: publicBytes(key), exportable, sealed: sealKey(vaultKey, key, exportable), chain };
  },
  async export({ name, chain, ...held }) {
    if (!held.exportable) throw new Fault('KEY_NOT_EXPORTABLE');
    const key = openKey(vaultKey, held).export({ type: 'pkcs8', format: 'der' });
    // 120 bits, in a form that people type.
    const password = [...randomBytes(24)]
      .map((byte) => LETTERS[byte % LETTERS.length])
      .join('')
      .replace(/.{6}(?!$)/g, '$&-');
    const file = writePkcs12(name, key, chain, password);
    key.fill(0);
    return { file, passwordSealed: sealText(vaultKey, password, file) };
  },
  async reveal({ sealed, file }) {
    return openText(vaultKey, sealed, file);
  },
  async sign({ digest, data, ...held }) {
    return sign(digest, data, openKey(vaultKey, held));
  },
};

answerOrders<VaultOrder>(acts as never, ({ key }) => {
  vaultKey = key;
});
