import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { sql } from 'kysely';
import type { AppContext } from '../src/platform/app-context.ts';

export interface Passkey {
  /** What a browser answers to the options that the server gave. */
  answer(options: string): string;
}

/** A passkey of somebody, kept as if it had been bound, whose key is in this process. */
export async function passkeyOf(app: AppContext, userId: number): Promise<Passkey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = Buffer.from(`passkey-${userId}-${Math.random()}`).toString('base64url');
  const [head, middle] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  const cose = Buffer.concat([head, Buffer.from(x, 'base64url'), middle, Buffer.from(y, 'base64url')]);
  await app.unscoped((db) =>
    sql`insert into account_passkey (user_id, credential_id, public_key, counter, name, transports) values (${userId}, ${id}, ${cose}, 0, 'key', '{}')`.execute(
      db,
    ),
  );
  return {
    answer(options) {
      const { challenge, rpId } = JSON.parse(options) as { challenge: string; rpId: string };
      const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: `http://${rpId}`, crossOrigin: false }));
      const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
      const authenticator = Buffer.concat([hash(rpId), Buffer.from([0x05, 0, 0, 0, 1])]);
      const signature = sign('sha256', Buffer.concat([authenticator, hash(client)]), privateKey);
      const [clientDataJSON, authenticatorData] = [client.toString('base64url'), authenticator.toString('base64url')];
      const response = { clientDataJSON, authenticatorData, signature: signature.toString('base64url') };
      return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
    },
  };
}
