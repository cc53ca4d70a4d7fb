import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { type Manifest, manifestText, type ReleaseKey, releaseKeyText } from '@mooring/contract/device/manifest';
import type { AppContext } from '../app-context.ts';
import { currentKey, type KeyRow, keepKey, keepRootKey, lockKeys, openRootKey, retireKey } from './key-store.ts';

export interface ReleaseKeys {
  /** SPKI DER in base64: what a terminal gets at enrolment, and trusts from then on. */
  readonly root: string;
  readonly key: ReleaseKey;
  sign(manifest: Omit<Manifest, 'keyId'>): { manifest: Manifest; signature: string };
}

const pair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    spki: spki.toString('base64'),
    id: createHash('sha256').update(spki).digest('base64url').slice(0, 16),
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
};

/** The release key and its root; made at the first call of an installation. */
export async function loadReleaseKeys(app: AppContext): Promise<ReleaseKeys> {
  return app.unscoped(async (db) => {
    await lockKeys(db);
    let root = await currentKey(db, 'releaseRoot');
    if (!root) {
      const made = pair();
      keepRootKey(app, 'release-root', made.pem);
      root = { id: made.id, role: 'releaseRoot', public_key: made.spki, certificate: null, signature: null, private_key_sealed: null };
      await keepKey(db, root);
    }
    const key = (await currentKey(db, 'release')) ?? (await makeReleaseKey(app, db));
    const privateKey = createPrivateKey(app.masterKey.open('release-key', key.private_key_sealed as Buffer).toString());
    return {
      root: root.public_key,
      key: { id: key.id, publicKey: key.public_key, signature: key.signature ?? '' },
      sign(of) {
        const manifest = { ...of, keyId: key.id };
        return { manifest, signature: sign(null, Buffer.from(manifestText(manifest)), privateKey).toString('base64') };
      },
    };
  });
}

async function makeReleaseKey(app: AppContext, db: Parameters<typeof keepKey>[0]): Promise<KeyRow> {
  const made = pair();
  const root = createPrivateKey(openRootKey(app, 'release-root'));
  const row: KeyRow = {
    id: made.id,
    role: 'release',
    public_key: made.spki,
    certificate: null,
    signature: sign(null, Buffer.from(releaseKeyText({ id: made.id, publicKey: made.spki })), root).toString('base64'),
    private_key_sealed: app.masterKey.seal('release-key', Buffer.from(made.pem)),
  };
  await keepKey(db, row);
  return row;
}

/** Retires the release key and makes another below the same root: terminals accept it without being touched. */
export async function rotateReleaseKey(app: AppContext): Promise<ReleaseKeys> {
  await app.unscoped(async (db) => {
    await lockKeys(db);
    const old = await currentKey(db, 'release');
    await makeReleaseKey(app, db);
    if (old) await retireKey(db, old.id, app.now());
  });
  return loadReleaseKeys(app);
}
