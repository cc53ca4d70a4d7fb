import { type GivenAt, type InForceAt, inForceAt, type ParamLevelKind, type Place } from '@mooring/contract/paramfile/resolve';
import type { TemplateField } from '@mooring/contract/paramfile/template-fields';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { pathsAbove } from '../../platform/paths-above.ts';

export type Sealer = Pick<AppContext, 'masterKey'>;
const SEALED = 'param-level';

/** Where something stands, from the root down. */
export interface Chain {
  readonly path: string;
  readonly merchantId: number | null;
  readonly shopId: number | null;
  readonly deviceId: number | null;
}
export interface LevelRow {
  readonly id: number;
  readonly level: ParamLevelKind;
  readonly place_id: number;
  readonly dept_path: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly locked: readonly string[];
  readonly secret_keys: readonly string[];
  readonly sealed: Buffer | null;
  readonly revision: number;
}

/** Whoever writes what stands at a place, or clears it, comes one after the other. */
export const lockLevel = (db: Db, templateId: number, { level, id }: Pick<Place, 'level' | 'id'>) =>
  lockSet(db, `paramfile_level:${templateId}:${level}:${id}`);
/** Results under way are noted before anybody looks who is behind: those who note share the set, who looks locks it. */
export const wantedSet = (templateId: number): string => `paramfile:wanted:${templateId}`;

export const levelColumns = sql`l.id, l.level, l.place_id, l.dept_path, l.values, l.locked, l.secret_keys, l.sealed, l.revision`;

export const secretsOf = (app: Sealer, { sealed }: Pick<LevelRow, 'sealed'>): Readonly<Record<string, string>> =>
  sealed === null ? {} : (JSON.parse(app.masterKey.open(SEALED, sealed).toString()) as Record<string, string>);
export const sealedOf = (app: Sealer, secrets: Readonly<Record<string, string>>): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : app.masterKey.seal(SEALED, Buffer.from(JSON.stringify(secrets)));

const ids = (chains: readonly Chain[], of: 'merchantId' | 'shopId' | 'deviceId') => [
  ...new Set(chains.flatMap((chain) => chain[of] ?? [])),
];

/** Levels of a template that stand above any of these, each looked up by its index. */
async function rowsFor(db: Db, templateId: number, chains: readonly Chain[]): Promise<readonly LevelRow[]> {
  const paths = [...new Set(chains.flatMap(({ path }) => pathsAbove(path)))];
  const of = (condition: ReturnType<typeof sql>) =>
    sql`select ${levelColumns} from paramfile_level l where l.template_id = ${templateId} and ${condition}`;
  const found = await sql<LevelRow>`
    ${of(sql`l.level = 'org' and l.dept_path = any(${paths}::text[])`)}
    union all ${of(sql`l.merchant_id = any(${ids(chains, 'merchantId')}::bigint[])`)}
    union all ${of(sql`l.shop_id = any(${ids(chains, 'shopId')}::bigint[])`)}
    union all ${of(sql`l.device_id = any(${ids(chains, 'deviceId')}::bigint[])`)}`.execute(db);
  return found.rows;
}

/** Of many at once by one query: what stands above each, from the top down. Past the policies: a terminal gets what is given above it. */
export async function levelsAbove(db: Db, templateId: number, chains: readonly Chain[]): Promise<(chain: Chain) => readonly LevelRow[]> {
  const rows = await rowsFor(db, templateId, chains);
  const by = new Map(rows.map((row) => [row.level === 'org' ? row.dept_path : `${row.level} ${row.place_id}`, row]));
  return ({ path, merchantId, shopId, deviceId }) =>
    [...pathsAbove(path), `merchant ${merchantId}`, `shop ${shopId}`, `device ${deviceId}`].flatMap((key) => by.get(key) ?? []);
}

const nameless = () => '';
/** A level as values are found in it. What was given in the open for a field that is secret now isn't taken, nor the other way round. */
export function givenAt(
  app: Sealer,
  fields: readonly TemplateField[],
  nameOf: (row: LevelRow) => string = nameless,
): (row: LevelRow) => GivenAt {
  const hidden = fields.filter(({ type }) => type === 'secret').map(({ key }) => key);
  return (row) => {
    const secrets = row.secret_keys.some((key) => hidden.includes(key)) ? secretsOf(app, row) : {};
    const open = Object.entries(row.values).filter(([key]) => !hidden.includes(key));
    const sealed = Object.entries(secrets).filter(([key]) => hidden.includes(key));
    return {
      place: { level: row.level, id: row.place_id, name: nameOf(row) },
      values: Object.fromEntries([...open, ...sealed]),
      locked: row.locked,
    };
  };
}

/** Each row unsealed and judged once, however many terminals are below it. */
export function judgedOnce(app: Sealer, fields: readonly TemplateField[]): (row: LevelRow) => InForceAt {
  const read = givenAt(app, fields);
  const known = new Map<number, InForceAt>();
  return (row) => {
    const before = known.get(row.id);
    if (before) return before;
    const judged = inForceAt(fields, read(row));
    known.set(row.id, judged);
    return judged;
  };
}

/** What the actor sees of the names of places; a merchant of an organisation above has none for those below. */
export async function namesOf({ db }: Pick<Ctx, 'db'>, rows: readonly Pick<LevelRow, 'level' | 'place_id'>[]) {
  const of = (level: ParamLevelKind) => rows.filter((row) => row.level === level).map((row) => row.place_id);
  const found = await sql<Place>`
    select 'org' as level, id, name from org_dept where id = any(${of('org')}::bigint[])
    union all select 'merchant', id, name from merchant_merchant where id = any(${of('merchant')}::bigint[])
    union all select 'shop', id, name from merchant_shop where id = any(${of('shop')}::bigint[])
    union all select 'device', id, sn from device where id = any(${of('device')}::bigint[])`.execute(db);
  const by = new Map(found.rows.map((row) => [`${row.level} ${row.id}`, row.name]));
  return ({ level, place_id }: Pick<LevelRow, 'level' | 'place_id'>): string => by.get(`${level} ${place_id}`) ?? '';
}
