import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { Fault } from '@mooring/contract/kit/fault';
import type { Seal } from '@mooring/contract/kit/schema';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { consumeNonce } from './nonces.ts';

const NONCE_SECONDS = 120;
const refused = () => new Fault('SEAL_REFUSED');

export interface Sealer {
  /** What the browser seals with (design 5, "Secret fields"). */
  challenge(): Promise<{ pubKey: string; keyId: string; nonce: string; expiresIn: number }>;
  open(purpose: string, seal: Seal): Promise<string>;
}

interface SealKey {
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** Keys are shared by all processes through the database; a nonce is signed and dated, so that only used ones are stored. */
export function makeSealer(app: AppContext): Sealer {
  const nonceKey = app.masterKey.derive('seal-nonce');
  let loading: Promise<SealKey> | undefined;
  const current = () => {
    loading ??= loadKey(app).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const mac = (head: string) => createHmac('sha256', nonceKey).update(head).digest().subarray(0, 16);
  const isFresh = (nonce: string) => {
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== 36) return false;
    const age = app.now().getTime() / 1000 - bytes.readUInt32BE(0);
    return (
      age > -NONCE_SECONDS && age < NONCE_SECONDS && timingSafeEqual(mac(bytes.subarray(0, 20).toString('base64')), bytes.subarray(20))
    );
  };
  return {
    async challenge() {
      const key = await current();
      const head = Buffer.alloc(20);
      head.writeUInt32BE(Math.floor(app.now().getTime() / 1000));
      randomBytes(16).copy(head, 4);
      return {
        pubKey: key.publicKey,
        keyId: key.id,
        nonce: Buffer.concat([head, mac(head.toString('base64'))]).toString('base64url'),
        expiresIn: NONCE_SECONDS,
      };
    },
    async open(purpose, seal) {
      const key = await current();
      if (seal.keyId !== key.id || !isFresh(seal.nonce)) throw refused();
      if (!(await consumeNonce(app, seal.nonce, new Date(app.now().getTime() + 2 * NONCE_SECONDS * 1000)))) throw refused();
      try {
        const label = Buffer.from(`${purpose}:${seal.nonce}`);
        return privateDecrypt(
          { key: key.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: label },
          Buffer.from(seal.data, 'base64'),
        ).toString('utf8');
      } catch {
        throw refused();
      }
    },
  };
}

async function loadKey(app: AppContext): Promise<SealKey> {
  return app.unscoped(async (db) => {
    await sql`select pg_advisory_xact_lock(7102)`.execute(db);
    const row = await db.selectFrom('auth_seal_key').selectAll().orderBy('created_at', 'desc').limit(1).executeTakeFirst();
    if (row) {
      const pem = app.masterKey.open('seal-key', row.private_key_sealed);
      return { id: row.id, publicKey: row.public_key, privateKey: createPrivateKey(pem) };
    }
    const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    const id = randomBytes(9).toString('base64url');
    const publicKey = createPublicKey(pair.privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
    const sealedKey = app.masterKey.seal('seal-key', Buffer.from(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })));
    await db.insertInto('auth_seal_key').values({ id, public_key: publicKey, private_key_sealed: sealedKey }).execute();
    return { id, publicKey, privateKey: pair.privateKey };
  });
}
