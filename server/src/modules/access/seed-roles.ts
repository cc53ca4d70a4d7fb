import { eachMenu } from '@mooring/contract/access/menus';
import type { Platform } from '@mooring/contract/kit/call';
import type { Db } from '../../platform/context.ts';

interface SeededRole {
  readonly code: string;
  readonly name: string;
  readonly platforms: readonly Platform[];
  readonly type: '1' | '2';
  readonly category: '0' | '1' | '2';
  readonly approvesAs?: string;
  readonly menus: readonly string[];
}

const nodes = eachMenu();
const both: readonly Platform[] = ['centre', 'manager'];
const inRegion = nodes.filter((node) => !node.platformOnly).map((node) => node.code);
const reading = nodes.filter((node) => node.type !== 3).map((node) => node.code);
/** Which files others brought isn't everybody's business. */
const readingInRegion = reading.filter((code) => inRegion.includes(code) && code !== 'uploadMonitor');

/** Design 2, "Who is who". A seeded role's menus follow the declaration at each start. */
export const seededRoles: readonly SeededRole[] = [
  { code: 'platformAdmin', name: 'Platform administrator', platforms: both, type: '1', category: '0', menus: ['*'] },
  {
    code: 'productLineAdmin',
    name: 'Product-line administrator',
    platforms: ['centre'],
    type: '1',
    category: '1',
    approvesAs: '1',
    menus: nodes.map((node) => node.code),
  },
  { code: 'marketAdmin', name: 'Market administrator', platforms: ['centre'], type: '1', category: '2', approvesAs: '2', menus: inRegion },
  {
    code: 'regionMaintainer',
    name: 'Region maintainer',
    platforms: ['centre'],
    type: '1',
    category: '0',
    approvesAs: '3',
    menus: inRegion,
  },
  { code: 'orgManager', name: 'Organisation manager', platforms: both, type: '2', category: '0', approvesAs: 'customer', menus: inRegion },
  { code: 'orgMember', name: 'Organisation member', platforms: both, type: '2', category: '0', menus: readingInRegion },
  {
    code: 'auditor',
    name: 'Auditor',
    platforms: both,
    type: '1',
    category: '0',
    menus: [...reading, 'sys:audit:company:page', 'sys:audit:person:page'],
  },
  // What it brings is its own: it releases nothing and holds no keys.
  {
    code: 'developer',
    name: 'Developer',
    platforms: ['centre'],
    type: '2',
    category: '0',
    menus: [
      'welcome',
      'app',
      'dev',
      'appSub',
      'app:sub:decide',
      ...nodes.filter((node) => node.code.startsWith('app:dev:')).map((node) => node.code),
      'message',
      'taskExport',
    ],
  },
  {
    code: 'reviewer',
    name: 'App reviewer',
    platforms: ['centre'],
    type: '1',
    category: '0',
    menus: [
      'welcome',
      'app',
      ...nodes.filter((node) => node.code.startsWith('app:app:')).map((node) => node.code),
      'message',
      'taskExport',
    ],
  },
  // Signs and approves; no organisations, no releases.
  {
    code: 'signingOfficer',
    name: 'Signing officer',
    platforms: ['centre'],
    type: '2',
    category: '0',
    menus: [
      'welcome',
      'message',
      'taskExport',
      ...nodes.filter((node) => node.perms.some((perm) => perm.startsWith('signing:'))).map((node) => node.code),
    ],
  },
  { code: 'keyCustodian', name: 'Key custodian', platforms: ['centre'], type: '1', category: '0', menus: ['welcome'] },
];

export async function seedRoles(db: Db): Promise<void> {
  for (const role of seededRoles) {
    const row = {
      code: role.code,
      name: role.name,
      type: role.type,
      category: role.category,
      platforms: [...role.platforms],
      menus: [...role.menus],
      approves_as: role.approvesAs ?? null,
      seeded: true,
      dept_id: 1,
      dept_path: '1.',
    };
    await db
      .insertInto('access_role')
      .values(row)
      .onConflict((on) => on.column('code').doUpdateSet({ name: row.name, menus: row.menus, platforms: row.platforms }))
      .execute();
  }
}

export async function seededRole(db: Db, code: string): Promise<number> {
  const row = await db.selectFrom('access_role').select('id').where('code', '=', code).executeTakeFirstOrThrow();
  return row.id;
}
