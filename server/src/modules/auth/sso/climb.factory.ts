import { eachMenu } from '@mooring/contract/access/menus';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { sql } from 'kysely';
import { type Client, clientOf, type TestApp } from '../../../../test/test-app.ts';
import { setRoles } from '../../access/api.ts';
import type { DeptAt } from '../../org/api.ts';
import { openSession } from '../sessions.ts';

export const STEPS = Number(process.env.CLIMB_STEPS ?? 1000);
export const SEED = Number(process.env.CLIMB_SEED ?? 7);

export type Platform = 'centre' | 'manager';
export type Pairs = ReadonlySet<string>;
export const both: readonly Platform[] = ['centre', 'manager'];
export const nodes = eachMenu().filter((node) => node.type !== 1);
// mulberry32
let state = SEED;
export const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};
export const below = (n: number) => Math.floor(random() * n);
export const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
export const some = <T>(from: readonly T[], most: number): T[] => [...new Set(Array.from({ length: 1 + below(most) }, () => pick(from)))];

interface Granted {
  readonly platforms: readonly string[];
  readonly menus: readonly string[];
}
const places = nodes.flatMap((node) => node.platforms.map((platform) => ({ platform, code: node.code, pair: `${platform} ${node.code}` })));
export const pairsOf = (roles: readonly Granted[]): Pairs =>
  new Set(
    roles.flatMap(({ platforms, menus }) => {
      const all = menus.includes('*');
      const named = new Set(menus);
      return places.filter((one) => platforms.includes(one.platform) && (all || named.has(one.code))).map((one) => one.pair);
    }),
  );
export const beyond = (gained: Iterable<string>, bound: Pairs): string[] => [...gained].filter((one) => !bound.has(one));

/** Mostly what may work out, and often enough what must not. */
export const mostly = <T>(likely: readonly T[], all: readonly T[]): readonly T[] => (likely.length > 0 && random() < 0.7 ? likely : all);

export const LINE: DeptAt = { id: 2, path: '1.2.' };

/** Everybody who is there at the beginning; `founding` is what a new organisation's first manager has from the installation. */
export async function settle(
  app: TestApp,
  { region, bank, other }: Readonly<Record<'region' | 'bank' | 'other', DeptAt>>,
): Promise<{ helper: Client; founding: Pairs; owners: readonly number[]; leastRole: number }> {
  const owners: number[] = [];
  for (const [role, dept] of [
    ['productLineAdmin', LINE],
    ['marketAdmin', LINE],
    ['regionMaintainer', region],
    ['orgManager', bank],
    ['orgManager', other],
    ['orgMember', bank],
  ] as const) {
    const { userId } = await app.person(role, dept);
    if (role === 'orgManager') owners.push(userId);
  }
  // People of one platform with a part of its menus each, who may all make roles and people.
  for (const platform of both)
    for (const dept of [LINE, region, bank, other]) {
      const own = nodes.filter(
        (node) =>
          node.platforms.includes(platform) &&
          (dept === LINE || !node.platformOnly) &&
          (random() < 0.5 || node.code.startsWith('access:') || /ember$|ole$|dept|org:/.test(node.code)),
      );
      const person = await app.person('orgMember', dept, platform);
      await app.context.unscoped(async (db) => {
        const { id } = await db
          .insertInto('access_role')
          .values({
            name: `Part ${person.userId}`,
            type: dept === bank || dept === other ? '2' : '1',
            platforms: [platform],
            menus: own.map((node) => node.code),
            dept_id: dept.id,
            dept_path: dept.path,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await setRoles(db, person.userId, [id], { by: null, way: 'system' });
      });
    }
  const settings = nodes
    .filter(
      (node) =>
        node.platforms.includes('manager') &&
        (!node.platformOnly || node.code.startsWith('settings:system') || node.code === 'systemSettings'),
    )
    .map((node) => node.code);
  const helper = await app.person('orgMember', LINE, 'manager');
  return app.context.unscoped(async (db) => {
    const { id } = await db
      .insertInto('access_role')
      .values({ name: 'Settings', type: '1', platforms: ['manager'], menus: settings, dept_id: 2, dept_path: LINE.path })
      .returning('id')
      .executeTakeFirstOrThrow();
    const least = await db
      .insertInto('access_role')
      .values({
        name: 'Lets in',
        type: '2',
        platforms: ['centre', 'manager'],
        menus: ['member', 'access:member:add', 'managerMember', 'access:managerMember:add'],
        dept_id: 1,
        dept_path: '1.',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setRoles(db, helper.userId, [id], { by: null, way: 'system' });
    const manager = await db.selectFrom('access_role').select('menus').where('code', '=', 'orgManager').executeTakeFirstOrThrow();
    return { helper, owners, leastRole: least.id, founding: pairsOf([{ platforms: ['manager'], menus: manager.menus }]) };
  });
}

interface RoleNow extends Granted {
  readonly id: number;
  readonly dept_path: string;
  /** Of this writing of the row. */
  readonly version: string;
}
const versions = new Map<string, RoleNow>();
/** Every role as it stands; a row is read once for each time that it was written. */
async function rolesNow(app: TestApp): Promise<Map<number, RoleNow>> {
  const { rows: standing } = await app.context.unscoped((db) =>
    sql<{ version: string }>`select id || '.' || xmin as version from access_role`.execute(db),
  );
  const unread = standing.map((row) => row.version).filter((one) => !versions.has(one));
  if (unread.length > 0) {
    const { rows } = await app.context.unscoped((db) =>
      sql<RoleNow>`select id, platforms, menus, dept_path, id || '.' || xmin as version from access_role
        where id || '.' || xmin = any(${unread}::text[])`.execute(db),
    );
    for (const row of rows) versions.set(row.version, row);
  }
  const now = standing.flatMap(({ version }) => versions.get(version) ?? []).map((row) => [row.id, row] as const);
  return new Map(now.toSorted(([one], [other]) => one - other));
}

const sets = new Map<string, Pairs>();
/** The same roles, as they were written last, give the same set: it needs no comparing. */
function setOf(roles: readonly RoleNow[]): Pairs {
  const key = roles.map((one) => one.version).join();
  const set = sets.get(key) ?? pairsOf(roles);
  sets.set(key, set);
  return set;
}

/** What everybody holds, read past all code of the server. */
export async function heldByAll(app: TestApp): Promise<Map<number, Pairs>> {
  const roles = await rolesNow(app);
  const { rows } = await app.context.unscoped((db) =>
    sql<{ id: number; roles: number[] }>`
      select u.id, coalesce(array_agg(ur.role_id::int order by ur.role_id) filter (where ur.role_id is not null and u.state = '0'), '{}') as roles
      from account_user u left join access_user_role ur on ur.user_id = u.id group by u.id`.execute(db),
  );
  return new Map(rows.map((row) => [row.id, setOf(row.roles.flatMap((id) => roles.get(id) ?? []))]));
}
/** Who manages organisations besides their own. */
export async function managers(app: TestApp): Promise<Map<string, number>> {
  const { rows } = await app.context.unscoped((db) =>
    sql<{ user_id: number; dept_id: number }>`select user_id, dept_id from access_managed_dept`.execute(db),
  );
  return new Map(rows.map((row) => [`${row.user_id} at ${row.dept_id}`, row.user_id]));
}
/** Where it happens; `wide` is who may name roles of anywhere. */
interface Place {
  readonly depts: readonly DeptAt[];
  readonly administrator: number;
  readonly wide: number;
}
export interface Turn {
  readonly client: Client;
  readonly people: readonly number[];
  readonly roles: readonly number[];
  readonly depts: readonly number[];
  readonly menus: readonly string[];
  readonly platforms: readonly Platform[];
  /** Through an API token: what its scopes leave. */
  readonly limits?: Pairs;
}
/** Somebody on a platform of theirs, now and then on any or through an API token with a part of their scopes. */
export async function turnOf(app: TestApp, at: Place, userId: number, held: ReadonlyMap<number, Pairs>): Promise<Turn> {
  const mine = held.get(userId) ?? new Set();
  const answers = new Map<Pairs, boolean>();
  const isMine = (pairs: Pairs): boolean => {
    const answer = answers.get(pairs) ?? beyond(pairs, mine).length === 0;
    answers.set(pairs, answer);
    return answer;
  };
  const platforms = both.filter((one) => [...mine].some((pair) => pair.startsWith(one)));
  const platform = pick(mostly(platforms, both));
  const found = await app.context.unscoped(async (db) => ({
    user: await db.selectFrom('account_user').select(['dept_id', 'dept_path']).where('id', '=', userId).executeTakeFirstOrThrow(),
    people: await db
      .selectFrom('account_user')
      .select(['id', 'dept_path'])
      .where('id', '<>', at.administrator)
      .where('id', '<>', userId)
      .execute(),
  }));
  const roles = [...(await rolesNow(app)).values()];
  const { user } = found;
  const isBelow = ({ dept_path }: { dept_path: string }) => dept_path.startsWith(user.dept_path);
  const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id);
  const wide = userId === at.wide;
  const common = {
    people: mostly(idsOf(found.people.filter((row) => isBelow(row) && isMine(held.get(row.id) ?? new Set()))), idsOf(found.people)),
    roles: mostly(idsOf(roles.filter((row) => (wide || user.dept_path.startsWith(row.dept_path)) && isMine(setOf([row])))), idsOf(roles)),
    depts: mostly(idsOf(at.depts.filter((one) => one.path.startsWith(user.dept_path))), idsOf(at.depts)),
    menus: mostly(
      [...mine].map((pair) => pair.split(' ')[1] ?? ''),
      nodes.map((node) => node.code),
    ),
    platforms: mostly(platforms, both),
  };
  const deptId = platform === 'centre' ? 0 : user.dept_id;
  const token = await app.context.unscoped((db) => openSession(db, userId, platform, '127.0.0.1', 'climb'));
  const client = clientOf(app.http, token, userId, platform, deptId);
  if (random() > 0.25) return { client, ...common };
  const perms = nodes.filter((node) => mine.has(`${platform} ${node.code}`)).flatMap((node) => node.perms);
  // With nearly all that gives rights, or with little of anything.
  const giving = perms.filter((one) => /^(access|org):/.test(one) && random() < 0.95);
  const scopes = random() < 0.8 && giving.length > 0 ? [...new Set(giving)] : some(perms.length > 0 ? perms : [''], 12);
  const made = perms.length > 0 ? await client.send(tokenCalls.add, { name: 'climb', scopes, days: 1 }) : undefined;
  const key = (made?.body as unknown as { token?: string } | null)?.token;
  if (!key) return { client, ...common };
  const left = nodes.filter((node) => mine.has(`${platform} ${node.code}`) && node.perms.every((one) => scopes.includes(one)));
  return {
    client: clientOf(app.http, key, userId, platform, deptId),
    ...common,
    limits: new Set(left.map((node) => `${platform} ${node.code}`)),
  };
}
