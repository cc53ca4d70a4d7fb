import { buffer } from 'node:stream/consumers';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { inviteCalls, memberCalls } from '@mooring/contract/account/member-calls';
import { loginCalls } from '@mooring/contract/auth/calls';
import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import type { Call } from '@mooring/contract/kit/call';
import { deptCalls } from '@mooring/contract/org/calls';
import { deptInviteCalls } from '@mooring/contract/org/invite-calls';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import { settingKinds } from '@mooring/contract/settings/kinds';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFile } from '../../../../test/firmware.ts';
import { newestMail } from '../../../../test/mails.ts';
import { openRegistration, type SignInClient, signInClientOf } from '../../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { readSetting, writeSetting } from '../../../platform/settings.ts';
import { t } from '../../../platform/texts/translate.ts';
import { xlsx } from '../../../platform/work/xlsx.ts';
import { setRoles } from '../../access/api.ts';
import { addDept, type DeptAt } from '../../org/api.ts';
import {
  below,
  beyond,
  both,
  heldByAll,
  LINE,
  managers,
  mostly,
  type Pairs,
  pick,
  random,
  SEED,
  STEPS,
  settle,
  some,
  type Turn,
  turnOf,
} from './climb.factory.ts';
import { gainedPlaces, type Places, places, populated, regrouped } from './climb-places.factory.ts';
import { registering } from './climb-registration.factory.ts';
import { personOf } from './person.ts';

/*
 * Random people give random rights by all ways on both platforms; nobody may ever hold what their giver did not hold on that platform. The
 * oracle reads tables and the declared menus alone, and shares no code with what it watches. CLIMB_STEPS and CLIMB_SEED try more.
 */
const MINUTES_15 = 900_000;

let app: TestApp;
let signInClient: SignInClient;
let administrator = 0;
/** Holds the settings of sign-on, on one platform. */
let helper: Client;
let depts: { id: number; path: string }[] = [];
let founding: Pairs = new Set();
/** The managers of the two banks. */
let owners: readonly number[] = [];
/** Lets people in, and holds nothing else. */
let leastRole = 0;
const invited: { code: string; by: number; org: boolean }[] = [];
const trials = new Map<string, { tried: number; done: number }>();

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  signInClient = signInClientOf(app);
  await openRegistration(app);
  const region = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region', parent: LINE }));
  const [bank, other] = [await app.dept('Bank', region), await app.dept('Other bank', region)];
  depts = [app.root, LINE, region, bank, other];
  await app.context.unscoped((db) =>
    sql`update org_dept set joinable = true where id = any(${[region.id, bank.id, other.id]}::bigint[])`.execute(db),
  );
  administrator = (await app.person('platformAdmin', app.root)).userId;
  ({ helper, founding, owners, leastRole } = await settle(app, { region, bank, other }));
});
afterAll(() => app.stop());

const ids = async () =>
  (
    await app.context.unscoped((db) => db.selectFrom('account_user').select('id').where('id', '<>', administrator).orderBy('id').execute())
  ).map((row) => row.id);
let made = 0;
const fresh = () => {
  made += 1;
  return `climb${made}`;
};
/** Who gave, whoever acts; and what the installation gives besides. */
type Outcome = {
  code: number;
  giver?: number | null;
  besides?: Pairs;
  takesOver?: number;
  letsIn?: readonly number[];
  holds?: Pairs;
  from?: Snapshot;
};
/** How it stood just before, where a way sets the scene first. */
interface Snapshot {
  readonly held: Map<number, Pairs>;
  readonly managed: Map<string, number>;
  readonly places: Places;
}
const snapshot = async (): Promise<Snapshot> => ({ held: await heldByAll(app), managed: await managers(app), places: await places(app) });
const sent = async (client: Client, call: Call, input: unknown): Promise<Outcome & { body: unknown }> => {
  const { code, body } = await client.send(call, input);
  if (code === 500) throw new Error(`${call.path} answered 500 to ${JSON.stringify(input)}`);
  return { code, body };
};
const randomRole = ({ menus, platforms }: Turn) => ({
  name: fresh(),
  type: pick(['1', '2', '2']),
  category: random() < 0.1 ? pick(['1', '2']) : '0',
  platforms: some(platforms, 2),
  menus: some(menus, pick([1, 2, 4, 12])),
});
const placed = (turn: Turn) => ({ deptId: pick(turn.depts), userType: pick(['1', '2']), roleIds: some(turn.roles, 2) });
const codeIn = async (email: string) => /invite=([\w-]+)/.exec((await newestMail(app, email))?.text ?? '')?.[1];
const { register, decide } = registering(
  () => app,
  () => signInClient,
  () => ({ unit: depts[2] as DeptAt, organisations: depts.slice(3) }),
  fresh,
);

/** Now and then whoever promised a right has lost nearly all by the time it takes effect; afterwards they have it again. */
async function afterLosses<T>(userId: number | null, work: () => Promise<T>): Promise<{ done: T; holds?: Pairs }> {
  if (userId === null || userId === administrator || random() < 0.5) return { done: await work() };
  const before = await app.context.unscoped((db) =>
    db.selectFrom('access_user_role').select('role_id').where('user_id', '=', userId).execute(),
  );
  const become = (roleIds: readonly number[]) => app.context.unscoped((db) => setRoles(db, userId, roleIds, { by: null, way: 'system' }));
  await become([leastRole]);
  const holds = (await heldByAll(app)).get(userId) ?? new Set();
  const done = await work();
  await become(before.map((row) => row.role_id));
  return { done, holds };
}

async function regroup(kind: 'move' | 'merge', { client }: Turn): Promise<Outcome> {
  const [unit, target] = await populated(app, depts.slice(2), administrator, fresh);
  const from = await snapshot();
  return { code: await regrouped(app, client, kind, unit, target), from };
}

const ways: Record<string, (turn: Turn) => Promise<Outcome>> = {
  'role add': (turn) => sent(turn.client, roleCalls.add, randomRole(turn)),
  'role update': (turn) => sent(turn.client, roleCalls.update, { id: pick(turn.roles), ...randomRole(turn) }),
  'role delete': async ({ client, roles }) => {
    const { rows } = await app.context.unscoped((db) =>
      sql<{ id: number }>`select id from access_role r where id = any(${[...roles]}::bigint[]) and not seeded
        and not exists (select from access_user_role where role_id = r.id)`.execute(db),
    );
    return sent(client, roleCalls.delete, {
      id: pick(
        mostly(
          rows.map((row) => row.id),
          roles,
        ),
      ),
    });
  },
  'member add': (turn) => sent(turn.client, memberCalls.add, { account: fresh(), userName: 'Climber', ...placed(turn) }),
  'member update': (turn) =>
    sent(turn.client, memberCalls.update, {
      id: pick(turn.people),
      userName: 'Climber',
      ...placed(turn),
      managedDeptIds: random() < 0.2 ? [pick(turn.depts)] : [],
    }),
  'password reset': async ({ client, people }) => {
    const id = pick(people);
    return { ...(await sent(client, memberCalls.resetPassword, { id })), takesOver: id };
  },
  'second factor removed': async ({ client, people }) => {
    const id = pick(people);
    return { ...(await sent(client, memberCalls.unbindMfa, { id })), takesOver: id };
  },
  invitation: async (turn) => {
    const email = `${fresh()}@example.com`;
    const answer = await sent(turn.client, inviteCalls.add, { email, ...placed(turn) });
    const code = answer.code === 200 ? await codeIn(email) : undefined;
    if (code) invited.push({ code, by: turn.client.userId, org: false });
    return answer;
  },
  'organisation invited': async ({ client, depts: places }) => {
    const email = `${fresh()}@example.com`;
    const answer = await sent(client, deptInviteCalls.add, { email, name: fresh(), parentId: pick(places) });
    const code = answer.code === 200 ? await codeIn(email) : undefined;
    if (code) invited.push({ code, by: client.userId, org: true });
    return answer;
  },
  'invitation taken': async () => {
    const [one] = invited.splice(below(invited.length), 1);
    if (!one) return { code: 0 };
    const newcomer = { invite: one.code, account: fresh(), userName: 'Guest', password: await signInClient.seal('regist', 'Fresh.Water8') };
    const { done, ...then } = await afterLosses(one.by, () =>
      sent(
        signInClient.nobody,
        one.org ? invitedCalls.deptRegist : invitedCalls.userRegist,
        one.org ? { name: fresh(), ...newcomer } : newcomer,
      ),
    );
    return { code: done.code, giver: one.by, ...then, ...(one.org ? { besides: founding } : {}) };
  },
  // Nobody gives it, so nothing may come of it.
  registration: async ({ depts: places }) => ({ ...(await register(random() < 0.5, places)), giver: null }),
  'applicant approved': ({ client, roles, depts: places }) =>
    decide(false, places, ({ userId }) =>
      sent(client, memberCalls.approve, { id: userId, userType: pick(['1', '2']), roleIds: some(roles, pick([1, 1, 2])) }),
    ),
  'organisation approved': ({ client, depts: places }) =>
    decide(true, places, async ({ deptId }) => ({ ...(await sent(client, deptCalls.approve, { id: deptId })), besides: founding })),
  'rule of sign-on': async ({ client, roles }) => {
    const setting = settingKinds.singleSignOn.parse({
      issuer: 'https://id.example.com',
      clientId: 'x',
      provision: true,
      linkByEmail: true,
      rules: some(['a', 'b', 'c'], 3).map((group) => ({ group, roleId: pick(roles), deptId: pick(depts).id })),
    });
    const answer = await sent(client, systemSettingCalls.singleSignOn, setting);
    // The version before took rules from whoever held the permission: they bind by what their author holds, however they came.
    if (answer.code === 200 || client.userId !== helper.userId) return answer;
    await app.context.unscoped((db) => writeSetting(db, app.context.masterKey, 'singleSignOn', setting, app.clock.now, helper.userId));
    return { code: 200 };
  },
  'sign-on': async ({ people }) => {
    const email =
      (
        await app.context.unscoped((db) =>
          db
            .selectFrom('account_user')
            .select('email')
            .where('id', '=', pick([...people, administrator]))
            .executeTakeFirst(),
        )
      )?.email ?? undefined;
    const by = await app.context.unscoped((db) =>
      db.selectFrom('settings_value').select('saved_by').where('type', '=', 'singleSignOn').executeTakeFirst(),
    );
    const before = new Set(await ids());
    const claims = {
      issuer: 'https://id.example.com',
      subject: `s${below(30)}`,
      email,
      emailVerified: true,
      name: 'Signed',
      account: fresh(),
      groups: some(['a', 'b', 'c'], 3),
    };
    const { done: user, ...then } = await afterLosses(by?.saved_by ?? null, () =>
      app.context
        .unscoped(async (db) => {
          const known = await db.selectFrom('account_identity').select('id').where('subject', '=', claims.subject).executeTakeFirst();
          return { known: known !== undefined, user: await personOf(db, await readSetting(db, 'singleSignOn'), claims) };
        })
        .catch(() => undefined),
    );
    if (!user) return { code: 400 };
    // Linked just now to somebody who was there: whoever saved the rules signs in as them.
    return {
      code: 200,
      giver: by?.saved_by ?? null,
      ...then,
      ...(!user.known && before.has(user.user.id) ? { takesOver: user.user.id } : {}),
    };
  },
  import: async ({ client, roles, depts: places }) => {
    const named = await app.context.unscoped((db) =>
      db.selectFrom('access_role').select('name').where('id', '=', pick(roles)).executeTakeFirst(),
    );
    const account = fresh();
    async function* row() {
      yield [account, 'Imported', `${fresh()}@example.com`, String(pick(places)), '2', named?.name ?? ''];
    }
    const header = ['account', 'userName', 'email', 'dept', 'userType', 'roles'].map((column) => t('en', `member.${column}`));
    const file = await makeFile(app, client, pick(depts), await buffer(xlsx(header, row())));
    const answer = await sent(client, memberCalls.import, { file });
    await app.runJobs();
    const came = await app.context.unscoped((db) =>
      db.selectFrom('account_user').select('id').where('account', '=', account).executeTakeFirst(),
    );
    // A sheet that is taken gives nothing yet: its row must have come in.
    return came ? answer : { code: 400 };
  },
  trusteeship: async ({ client }) => {
    const trusteeId = pick(depts.slice(2)).id;
    const until = new Date(app.clock.now.getTime() + 86_400_000).toISOString();
    const given = await sent(client, trustCalls.give, { deptId: pick(depts.slice(3)).id, trusteeId, until });
    const { rows } = await app.context.unscoped((db) =>
      sql<{ id: number }>`select id from account_user where dept_id = ${trusteeId} and user_type = '1' and state in ('0', '1')`.execute(db),
    );
    return { ...given, letsIn: rows.map((row) => row.id) };
  },
  'organisation moved': (turn) => regroup('move', turn),
  'organisation merged': (turn) => regroup('merge', turn),
  cross: ({ client }) => sent(client, loginCalls.cross, { platform: pick(both) }),
};

function note(way: string, { code }: Outcome): void {
  const { tried, done } = trials.get(way) ?? { tried: 0, done: 0 };
  trials.set(way, { tried: tried + 1, done: done + (code === 200 ? 1 : 0) });
}

/** Who may do a thing at all is asked more often. */
function actorOf(way: string, people: readonly number[]): number {
  if (way === 'rule of sign-on' && random() < 0.7) return helper.userId;
  if (way === 'trusteeship' && random() < 0.7) return pick(owners);
  if (way === 'applicant approved' && random() < 0.4) return pick(owners);
  if (/moved|merged/.test(way) && random() < 0.8) return pick(people.slice(0, 3));
  return random() < 0.6 ? pick(people.slice(0, 15)) : pick(people);
}

test(`nobody ever holds what no giver held on that platform (${STEPS} steps, seed ${SEED})`, { timeout: MINUTES_15 }, async () => {
  // What changes whole people or waits for somebody else seldom works out: it is tried more often.
  const often = {
    'member update': 6,
    'member add': 2,
    'role delete': 3,
    invitation: 4,
    'organisation invited': 3,
    'applicant approved': 2,
    'organisation approved': 2,
  };
  const names = [...Object.keys(ways), ...Object.entries(often).flatMap(([way, times]) => new Array<string>(times - 1).fill(way))];
  let now = await snapshot();
  const ceiling = new Set([...now.held].flatMap(([id, held]) => (id === administrator ? [] : [...held])));
  // A way that is always refused shows nothing: those that didn't work out yet are tried on, for as many steps again.
  const never = () => [...Object.keys(ways), 'API token'].filter((way) => !trials.get(way)?.done);
  const goesOn = (step: number) => step < STEPS || (STEPS >= 1000 && step < 2 * STEPS && never().length > 0);
  for (let step = 0; goesOn(step); step += 1) {
    const people = await ids();
    const left = never().filter((way) => way in ways);
    const way = pick(step < STEPS || left.length === 0 ? names : left);
    const actor = actorOf(way, people);
    const turn = await turnOf(app, { depts, administrator, wide: helper.userId }, actor, now.held);
    const outcome = (await ways[way]?.(turn)) ?? { code: 0 };
    note(way, outcome);
    if (turn.limits && outcome.giver === undefined) note('API token', outcome);
    const { held: before, managed, places: placed } = outcome.from ?? now;
    now = await snapshot();
    const after = now.held;
    const giver = outcome.giver === undefined ? actor : (outcome.giver ?? 0);
    const holds = outcome.holds ?? (outcome.giver === undefined ? turn.limits : undefined) ?? before.get(giver) ?? [];
    const bound = new Set([...holds, ...(outcome.besides ?? [])]);
    const told = `step ${step}, seed ${SEED}: ${way} by ${giver}`;
    for (const [id, held] of after) {
      const had = before.get(id) ?? new Set();
      if (held === had) continue;
      expect(
        beyond(
          [...held].filter((one) => !had.has(one)),
          bound,
        ),
        `${told} gave ${id}`,
      ).toEqual([]);
      if (id !== administrator) expect(beyond(held, ceiling), `${told}: ${id} is above everybody`).toEqual([]);
    }
    if (outcome.code === 200 && outcome.takesOver !== undefined)
      expect(beyond(before.get(outcome.takesOver) ?? [], bound), `${told} took over ${outcome.takesOver}`).toEqual([]);
    // Trustees act on the organisations' platform alone, with all that they hold there.
    if (outcome.code === 200)
      for (const id of outcome.letsIn ?? [])
        expect(
          beyond(
            [...(before.get(id) ?? [])].filter((pair) => pair.startsWith('manager ')),
            bound,
          ),
          `${told} let ${id} in`,
        ).toEqual([]);
    expect(gainedPlaces(placed, now.places, after, bound), `${told} lets people act elsewhere`).toEqual([]);
    for (const [pair, id] of now.managed)
      if (!managed.has(pair)) expect(beyond(after.get(id) ?? [], bound), `${told}: ${pair} manages more`).toEqual([]);
  }
  if (process.env.CLIMB_TELL) console.log(JSON.stringify([...trials]));
  if (STEPS >= 1000) expect(never()).toEqual([]);
});
