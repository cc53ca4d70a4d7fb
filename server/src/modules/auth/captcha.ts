import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { drawCaptcha, randomAnswer } from './captcha-picture.ts';

const MINUTES = 5;
const hash = (id: string, answer: string) => createHash('sha256').update(`${id}:${answer.trim().toLowerCase()}`).digest();

/** A picture of characters; its answer is kept hashed, for five minutes and one try. */
export async function makeCaptcha(db: Db): Promise<{ id: string; image: string }> {
  const text = randomAnswer();
  const picture = await drawCaptcha(text);
  const id = randomBytes(16).toString('base64url');
  await sql`with old as (delete from auth_captcha where expires_at < now())
    insert into auth_captcha (id, answer_hash, expires_at) values (${id}, ${hash(id, text)}, now() + make_interval(mins => ${MINUTES}))`.execute(
    db,
  );
  return { id, image: `data:image/png;base64,${picture.toString('base64')}` };
}

/** True once for the right answer; a wrong one uses the picture up as well. */
export async function takeCaptcha(db: Db, id: string, answer: string): Promise<boolean> {
  const row = await db
    .deleteFrom('auth_captcha')
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('answer_hash')
    .executeTakeFirst();
  return row?.answer_hash.equals(hash(id, answer)) ?? false;
}

/** A right answer for what stands for it once, so that a form may check the picture before the rest is filled in. */
export async function passOfCaptcha(db: Db, id: string, answer: string): Promise<{ id: string; code: string } | undefined> {
  if (!(await takeCaptcha(db, id, answer))) return undefined;
  const [pass, code] = [randomBytes(16).toString('base64url'), randomBytes(16).toString('hex')];
  await sql`insert into auth_captcha (id, answer_hash, expires_at) values (${pass}, ${hash(pass, code)}, now() + make_interval(mins => ${MINUTES}))`.execute(
    db,
  );
  return { id: pass, code };
}
