import { eachMenu } from '@mooring/contract/access/menus';
import type { Client, TestHouse } from '../../../../test/house.ts';
import { setRoles } from '../../access/api.ts';
import type { DeptAt } from '../../org/api.ts';

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

export const pairsOf = (roles: readonly { platforms: string[]; menus: string[] }[]): Pairs =>
  new Set(
    roles.flatMap((role) =>
      nodes.flatMap((node) =>
        node.platforms
          .filter((one) => role.platforms.includes(one) && (role.menus.includes('*') || role.menus.includes(node.code)))
          .map((one) => `${one} ${node.code}`),
      ),
    ),
  );
export const beyond = (gained: Iterable<string>, bound: Pairs): string[] => [...gained].filter((one) => !bound.has(one));

/** Mostly what may work out, and often enough what must not. */
export const mostly = <T>(likely: readonly T[], all: readonly T[]): readonly T[] => (likely.length > 0 && random() < 0.7 ? likely : all);

export const LINE: DeptAt = { id: 2, path: '1.2.' };

/** Everybody who is there at the beginning; `founding` is what a new organisation's first manager has from the installation. */
export async function settle(
  house: TestHouse,
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
    const { userId } = await house.person(role, dept);
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
      const person = await house.person('orgMember', dept, platform);
      await house.house.unscoped(async (db) => {
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
  const helper = await house.person('orgMember', LINE, 'manager');
  return house.house.unscoped(async (db) => {
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
