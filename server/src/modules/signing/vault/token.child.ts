import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto';
import { integer, nothing, octets, oid, readDer, sequence } from '@mooring/apk/cms/der';
import { Fault } from '@mooring/contract/kit/fault';
import type { KeyAlgorithm } from '@mooring/contract/signing/limits';
import { answerOrders } from './answer-orders.ts';
import { CKM, CKO } from './pkcs11.ts';
import { openReference, publicBytes, sealReference } from './private-key.ts';
import type { Held, TokenActs, TokenOrder } from './protocol.ts';
import { notFound, type Session, type TokenSession, tokenAway, tokenSession } from './token-session.ts';

// A process of its own, apart from the vault: a library of the token's maker runs in it, and reaches neither the keys in software nor the server.
let tokenKey: Buffer = Buffer.alloc(0);
let label = '';
let token: TokenSession | undefined;

const bits: Readonly<Partial<Record<KeyAlgorithm, number>>> = { rsa2048: 2048, rsa3072: 3072, rsa4096: 4096 };
const curves: Readonly<Record<string, { readonly id: string; readonly name: string; readonly size: number }>> = {
  p256: { id: '1.2.840.10045.3.1.7', name: 'P-256', size: 32 },
  p384: { id: '1.3.132.0.34', name: 'P-384', size: 48 },
};
const digests: Readonly<Record<string, string>> = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
};
const url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

function rsaPublic({ p11, id }: Session, object: number): KeyObject {
  const key = { kty: 'RSA', n: url(p11.read(id, object, 'MODULUS')), e: url(p11.read(id, object, 'PUBLIC_EXPONENT')) };
  return createPublicKey({ key, format: 'jwk' });
}
function ecPublic({ p11, id }: Session, object: number, { name, size }: { name: string; size: number }): KeyObject {
  const raw = p11.read(id, object, 'EC_POINT');
  // The standard wraps the point in an octet string; some tokens don't.
  const point = raw.length === 2 * size + 1 ? raw : readDer(raw).body;
  const key = { kty: 'EC', crv: name, x: url(point.subarray(1, size + 1)), y: url(point.subarray(size + 1)) };
  return createPublicKey({ key, format: 'jwk' });
}

const first = { TOKEN: true, SIGN: true, PRIVATE: true, SENSITIVE: true, EXTRACTABLE: false } as const;
function make(session: Session, algorithm: KeyAlgorithm, label: string, id: Buffer): KeyObject {
  const named = { ID: id, LABEL: Buffer.from(label) };
  const [hidden, open] = [
    { ...first, ...named },
    { TOKEN: true, VERIFY: true, ...named },
  ];
  const { p11 } = session;
  const curve = curves[algorithm];
  if (curve) {
    const made = p11.generate(session.id, CKM.EC_GENERATE, { ...open, EC_PARAMS: oid(curve.id) }, hidden);
    return ecPublic(session, made.publicKey, curve);
  }
  const size = { MODULUS_BITS: bits[algorithm] ?? 0, PUBLIC_EXPONENT: Buffer.from([1, 0, 1]) };
  return rsaPublic(session, p11.generate(session.id, CKM.RSA_GENERATE, { ...open, ...size }, hidden).publicKey);
}

/** Both halves of a pair, or what is left of it. */
const objectsOf = ({ p11, id }: Session, ID: Buffer): number[] => [
  ...p11.find(id, { CLASS: CKO.PRIVATE_KEY, ID }),
  ...p11.find(id, { CLASS: CKO.PUBLIC_KEY, ID }),
];

type Digest = 'sha256' | 'sha384' | 'sha512';
/** Never one that isn't of this public key: what lies under an id may have been put in another's place. Fault: SIGNATURE_MISMATCH. */
function signWith(session: Session, ID: Buffer, key: KeyObject, digest: Digest, data: Buffer): Buffer | undefined {
  const { p11, id } = session;
  const [object] = p11.find(id, { CLASS: CKO.PRIVATE_KEY, ID });
  if (object === undefined) return undefined;
  const hash = createHash(digest).update(data).digest();
  const signature = key.asymmetricKeyType === 'rsa' ? signRsa() : signEc();
  if (!verify(digest, data, key, signature)) throw new Fault('SIGNATURE_MISMATCH');
  return signature;

  function signRsa(): Buffer {
    const info = sequence(sequence(oid(digests[digest] ?? ''), nothing), octets(hash));
    return p11.sign(id, object ?? 0, CKM.RSA_PKCS, info, (key.asymmetricKeyDetails?.modulusLength ?? 4096) / 8);
  }
  function signEc(): Buffer {
    const size = key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 48 : 32;
    const raw = p11.sign(id, object ?? 0, CKM.ECDSA, hash.subarray(0, size), 2 * size);
    return sequence(integer(raw.subarray(0, raw.length / 2)), integer(raw.subarray(raw.length / 2)));
  }
}

const within = <T>(refused: string | undefined, work: (session: Session, isFresh: boolean) => T): Promise<T> => {
  if (!token) throw tokenAway('unset');
  return token.within(refused, work);
};
const publicOf = ({ publicKey }: Pick<Held, 'publicKey'>) => createPublicKey({ key: publicKey, type: 'spki', format: 'der' });

/** What is reserved has none yet. */
const NO_KEY = Buffer.alloc(0);

const acts: TokenActs = {
  status: ({ refused }) =>
    within(refused, ({ p11, id, slot, serial }) => {
      p11.check(id);
      p11.token(slot);
      return { serial };
    }),
  reserve: ({ refused }) =>
    within(refused, ({ serial }) => ({ sealed: sealReference(tokenKey, { id: randomBytes(16).toString('hex'), label, serial }, NO_KEY) })),
  generate: ({ algorithm, name, reserved, refused }) =>
    within(refused, (session) => {
      const of = openReference(tokenKey, { sealed: reserved, publicKey: NO_KEY });
      if (of.serial !== session.serial) throw tokenAway('other');
      const id = Buffer.from(of.id, 'hex');
      // Of an attempt that ended in the middle.
      for (const object of objectsOf(session, id)) session.p11.destroy(session.id, object);
      const key = make(session, algorithm, name, id);
      const publicKey = publicBytes(key);
      if (!signWith(session, id, key, 'sha256', randomBytes(32))) throw new Fault('SIGNATURE_MISMATCH');
      const sealed = sealReference(tokenKey, { id: id.toString('hex'), label, serial: session.serial }, publicKey);
      return { kind: 'token' as const, algorithm, publicKey, exportable: false, sealed };
    }),
  sign: ({ digest, data, refused, ...held }) => {
    const { id, serial } = openReference(tokenKey, held);
    return within(refused, (session, isFresh) => {
      const signature = signWith(session, Buffer.from(id, 'hex'), publicOf(held), digest, data);
      if (signature) return signature;
      if (!isFresh) throw notFound();
      if (session.serial !== serial) throw tokenAway('other');
      throw new Fault('KEY_TOKEN_MISSING');
    });
  },
  destroy: ({ refused, isLeft, ...held }) => {
    const { id, serial } = openReference(tokenKey, held);
    return within(refused, (session, isFresh) => {
      const found = objectsOf(session, Buffer.from(id, 'hex'));
      const isOther = found.length === 0 && session.serial !== serial;
      if (found.length === 0 && !isFresh && !(isOther && isLeft)) throw notFound();
      for (const object of found) session.p11.destroy(session.id, object);
      return !isOther;
    });
  },
};

answerOrders<TokenOrder>(acts as never, ({ key, settings }) => {
  tokenKey = key;
  label = settings.label;
  token = tokenSession(settings, key);
});
