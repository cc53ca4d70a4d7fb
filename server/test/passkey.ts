import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { sql } from 'kysely';
import type { AppContext } from '../src/platform/app-context.ts';

export interface Passkey {
  /** What a browser answers to the options that the server gave. */
  answer(options: string): string;
  /** What it answers where it is to be bound. */
  create(options: string): string;
}

const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');
const asked = (type: 'create' | 'get', challenge: string, rpId: string) =>
  Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin: `http://${rpId}`, crossOrigin: false }));
/** Somebody was there (1) and was known (4); with a new key (64). */
const [ANSWERED, CREATED] = [0x05, 0x45];
const number = (value: number, bytes: number) => Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex');
/** Names and values of a map in CBOR, as far as one that says nothing of its maker has any. */
const attestation = (data: Buffer) =>
  Buffer.concat([Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'), number(data.length, 1), data]);

/** A passkey whose key is in this process, which nobody has bound yet. */
export function newPasskey(): Passkey & { readonly id: string; readonly publicKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = text(Buffer.from(`passkey-${Math.random()}`));
  const [head, middle] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  const cose = Buffer.concat([head, Buffer.from(x, 'base64url'), middle, Buffer.from(y, 'base64url')]);
  let used = 0;
  const credential = (response: object) => JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  return {
    id,
    publicKey: cose,
    answer(options) {
      const { challenge, rpId } = JSON.parse(options) as { challenge: string; rpId: string };
      used += 1;
      const client = asked('get', challenge, rpId);
      const authenticator = Buffer.concat([hash(rpId), number(ANSWERED, 1), number(used, 4)]);
      const signature = sign('sha256', Buffer.concat([authenticator, hash(client)]), privateKey);
      return credential({ clientDataJSON: text(client), authenticatorData: text(authenticator), signature: text(signature) });
    },
    create(options) {
      const { challenge, rp } = JSON.parse(options) as { challenge: string; rp: { id: string } };
      const own = Buffer.from(id, 'base64url');
      const data = Buffer.concat([hash(rp.id), number(CREATED, 1), number(0, 4), Buffer.alloc(16), number(own.length, 2), own, cose]);
      const client = asked('create', challenge, rp.id);
      return credential({ clientDataJSON: text(client), attestationObject: text(attestation(data)), transports: [] });
    },
  };
}

/** A passkey of somebody, kept as if it had been bound. */
export async function passkeyOf(app: AppContext, userId: number): Promise<Passkey> {
  const made = newPasskey();
  await app.unscoped((db) =>
    sql`insert into account_passkey (user_id, credential_id, public_key, counter, name, transports) values (${userId}, ${made.id}, ${made.publicKey}, 0, 'key', '{}')`.execute(
      db,
    ),
  );
  return made;
}
