import { argon2, constants, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { hashPassword } from '@mooring/server/modules/auth/password-hash';
import { askCall, startApp } from '../app.ts';
import { openEstate } from '../estate.ts';
import { load, median, quantile } from '../measure.ts';
import { atLeast, atMost, type Figure, type Row } from '../row.ts';

const SIGN_INS = 200;
const OTHERS = 100;
const ACCOUNT = 'bench-orgMember-100777';
const PASSWORD = 'Good.Word3x';
const hash = promisify(argon2);
/** The server's own parameters (design 5, "People"). */
const raw = () => hash('argon2id', { message: PASSWORD, nonce: randomBytes(16), parallelism: 1, tagLength: 32, memory: 65_536, passes: 3 });

async function rawRate(): Promise<number> {
  const started = performance.now();
  let left = 40;
  await Promise.all(
    [0, 1].map(async () => {
      while (left > 0) {
        left -= 1;
        await raw();
      }
    }),
  );
  return 40 / ((performance.now() - started) / 1000);
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000);
  const app = await startApp({ DATABASE_URL: estate.url });
  try {
    const token = await estate.session('orgManager', 100_777);
    // Another's: whoever signs in often loses their oldest sessions.
    await estate.session('orgMember', 100_777);
    await estate.query('delete from auth_attempt');
    await estate.query('update account_user set password_hash = $1, password_at = now(), password_initial = false where account = $2', [
      await hashPassword(PASSWORD),
      ACCOUNT,
    ]);
    const page = () => askCall(app.url, '/device/page', token, {});
    /** A hundred others a second, evenly, and how long they took. */
    const others = async (until: Promise<unknown>) => {
      const took: number[] = [];
      let done = false;
      void until.finally(() => {
        done = true;
      });
      const running: Promise<void>[] = [];
      while (!done) {
        const started = performance.now();
        running.push(page().then(() => void took.push(performance.now() - started)));
        await new Promise((wait) => setTimeout(wait, 1000 / OTHERS));
      }
      await Promise.all(running);
      return took;
    };
    await load(4, 2, async () => void (await page()));
    const quiet = await others(new Promise((wait) => setTimeout(wait, 5000)));
    const anchor: number[] = [];
    for (let n = 0; n < 3; n += 1) anchor.push(await rawRate());
    const signIn = async () => {
      const { pubKey, keyId, nonce } = (await askCall(app.url, '/sys/login/random', '', {})) as Record<string, string>;
      const key = createPublicKey({ key: Buffer.from(pubKey ?? '', 'base64'), format: 'der', type: 'spki' });
      const data = publicEncrypt(
        { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: Buffer.from(`login:${nonce}`) },
        Buffer.from(PASSWORD),
      ).toString('base64');
      // Let in, each time: refused ones would soon be asked for a picture before any hash is made.
      await askCall(app.url, '/sys/login/account', '', { account: ACCOUNT, platform: 'centre', password: { keyId, nonce, data } });
    };
    await signIn();
    let left = SIGN_INS;
    const started = performance.now();
    const all = Promise.all(
      [0, 1].map(async () => {
        while (left > 0) {
          left -= 1;
          await signIn();
        }
      }),
    );
    const busy = await others(all);
    const rate = SIGN_INS / ((performance.now() - started) / 1000);
    return [
      atLeast('sign-ins a second against the raw hash rate, 2 at once', rate, median(anchor), 0.6, '/s'),
      atMost('p95 of 100 other calls a second, against quiet', quantile(busy, 0.95), quantile(quiet, 0.95), 4, 'ms'),
    ];
  } finally {
    await app.stop();
    await estate.stop();
  }
}

export const p11: Row = { id: 'P11', work: '200 sign-ins, 2 at once, while 100 other calls a second go on', run };
