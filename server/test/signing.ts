import { randomBytes } from 'node:crypto';
import type { DeptAt } from '../src/modules/org/api.ts';
import type { TestApp } from './test-app.ts';

type Made = { executeTakeFirstOrThrow(): Promise<{ id: number }> };
const idOf = async (query: Made) => (await query.executeTakeFirstOrThrow()).id;

/** A key store of the owner with an active key, a job that waits, and a change of the key that waits, all by this name. */
export const makeSigningRows = (test: TestApp, { id: dept_id, path: dept_path }: DeptAt, name: string) =>
  test.context.unscoped(async (db) => {
    const of = { dept_id, dept_path };
    const at = new Date();
    const later = new Date(at.getTime() + 1e9);
    const keyStore = await idOf(
      db
        .insertInto('signing_store')
        .values({ ...of, name })
        .returning('id'),
    );
    const key = {
      ...of,
      store_id: keyStore,
      name,
      algorithm: 'p256',
      state: 'active',
      origin: 'generated',
      fingerprint: randomBytes(32).toString('hex'),
      public_key: Buffer.from(name),
      chain: [],
      subject: `CN=${name}`,
      issuer: `CN=${name}`,
      serial: '1',
      certificate_sha256: 'x',
      not_before: at,
      not_after: later,
    };
    const signingKey = await idOf(db.insertInto('signing_key').values(key).returning('id'));
    const profile = { ...of, name, kind: 'none', key_id: signingKey };
    const signingProfile = await idOf(db.insertInto('signing_profile').values(profile).returning('id'));
    const job = {
      ...of,
      key_id: signingKey,
      file_id: 1,
      file_name: `${name}.apk`,
      size: 1,
      profile: 'apk',
      author: name,
      expires_at: later,
      sha256_before: 'x',
      certificate_sha256: 'x',
    };
    const signingJob = await idOf(db.insertInto('signing_job').values(job).returning('id'));
    const change = {
      home: 'signing',
      target: 'keyRetire',
      subject_id: signingKey,
      subject_name: name,
      line_id: dept_id,
      call: '/api/keystore/key/retire',
      before: '{}',
      after: '{}',
      secrets: [],
      author_name: name,
      created_at: at,
      expires_at: later,
      dept_path,
    };
    const keyChange = await idOf(db.insertInto('settings_change_request').values(change).returning('id'));
    return { keyStore, signingKey, signingJob, keyChange, signingProfile };
  });
