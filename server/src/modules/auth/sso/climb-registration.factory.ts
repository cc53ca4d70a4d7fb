import { registerCalls } from '@mooring/contract/auth/register-calls';
import { sql } from 'kysely';
import { newestMail } from '../../../../test/mails.ts';
import type { SignInClient } from '../../../../test/sign-in-client.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../org/api.ts';
import { below, pick, random } from './climb.factory.ts';

export interface Applicant {
  readonly userId: number;
  readonly deptId: number;
  /** With an organisation of their own, or to join one. */
  readonly org: boolean;
  /** Where they registered. */
  readonly at: number;
}

/** A place strangers may register at. */
export interface Door {
  readonly unit: DeptAt;
  readonly organisations: readonly DeptAt[];
}

/** Who registers as anybody does, with a code from their mail, and waits until somebody decides. */
export function registering(app: () => TestApp, client: () => SignInClient, door: () => Door, name: () => string) {
  const waiting: Applicant[] = [];
  /** More who wait would try nothing new. */
  const ENOUGH = 3;

  async function register(org: boolean, places: readonly number[]): Promise<{ code: number }> {
    if (waiting.filter((one) => one.org === org).length > ENOUGH) return { code: 0 };
    const { unit, organisations } = door();
    const all = org ? [unit, ...organisations] : organisations;
    const likely = all.filter((one) => places.includes(one.id));
    const at = pick(likely.length > 0 ? likely : all);
    const email = `${name()}@example.com`;
    // How many may come from one address within an hour is tried elsewhere.
    await app().context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
    await client().nobody.call(registerCalls.captcha, { email, proof: await client().proof('regist') });
    await app().runJobs();
    const code = /\n(\d{6,})\n/.exec((await newestMail(app(), email))?.text ?? '')?.[1] ?? '';
    const person = { account: name(), userName: 'Applied', password: await client().seal('regist', 'Fresh.Water8'), email, code };
    const answer = !org
      ? await client().nobody.send(registerCalls.join, { ...person, deptId: at.id })
      : at.id === unit.id
        ? await client().nobody.send(registerCalls.dept, { ...person, name: name(), unitId: at.id })
        : await client().nobody.send(registerCalls.child, { ...person, name: name(), parentId: at.id });
    if (answer.code !== 200) return { code: answer.code };
    const { id, dept_id } = await app().context.unscoped((db) =>
      db.selectFrom('account_user').select(['id', 'dept_id']).where('email', '=', email).executeTakeFirstOrThrow(),
    );
    waiting.push({ userId: id, deptId: dept_id, org, at: at.id });
    return { code: 200 };
  }

  return {
    register,
    /** Decides about one of them, at one of these places where somebody waits there; `act` says whether they were let in. */
    async decide<T extends { code: number }>(org: boolean, places: readonly number[], act: (who: Applicant) => Promise<T>): Promise<T> {
      const found = () => waiting.filter((one) => one.org === org && places.includes(one.at));
      if (found().length === 0) await register(org, places);
      const those = found();
      const all = those.length > 0 ? those : waiting.filter((one) => one.org === org);
      const who = all[below(all.length)];
      if (!who) throw new Error('nobody could register');
      const outcome = await act(who);
      // Whoever was turned away stays a while for the next one who decides.
      if (outcome.code === 200 || random() < 0.2) waiting.splice(waiting.indexOf(who), 1);
      return outcome;
    },
  };
}
