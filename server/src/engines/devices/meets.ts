import type { GroupRule } from '@mooring/contract/device/group-calls';
import { type RawBuilder, sql } from 'kysely';
import { all, exact, partPattern, range, valuesOf } from '../../platform/db/criteria.ts';
import { type BehindVersion, isBehind } from './behind.ts';
import { hasDouble } from './doubles.ts';
import { byNumbers } from './hardware-numbers.ts';

interface Asking {
  /** Conditions whose operators use no index under a policy: as they stand, or looked up beside it. */
  readonly lookUp: (condition: RawBuilder<boolean>) => Promise<RawBuilder<boolean>>;
  readonly behind: () => Promise<readonly BehindVersion[]>;
  /** At or below it another terminal counts as a double. */
  readonly path: string;
  /** A text finds them by the numbers of their hardware too: what somebody searches by, and no rule. */
  readonly numbers: boolean;
}

/** Of one app a terminal has one row at most, which the database knows: few that have it are found from their rows, not by asking each terminal. */
const named = (apps: readonly string[]) =>
  apps.length === 1 ? sql`a.package_name = ${apps[0]}` : sql`a.package_name = any(${apps}::text[])`;

type Found = RawBuilder<boolean> | undefined;
const yesOrNo = (is: boolean | undefined, yes: RawBuilder<boolean>, no = sql<boolean>`(${yes}) is not true`): Found =>
  is === undefined ? undefined : is ? yes : no;

/** Devices (as `d`) that meet what a list, or the rule of a group, asks of them. */
export async function meets(criteria: GroupRule, { lookUp, behind, path, numbers }: Asking): Promise<RawBuilder<boolean>> {
  const { text, sn, tag } = criteria;
  const ofText = (part: string) =>
    lookUp(
      sql<boolean>`(${sql.join([sql`d.sn ilike ${partPattern(part)}`, sql`d.name ilike ${partPattern(part)}`, ...(numbers ? byNumbers(part) : [])], sql` or `)})`,
    );
  const attention = valuesOf(criteria.attention);
  const doubles = valuesOf(criteria.doubles);
  const apps = valuesOf(criteria.app);
  const appBelow = criteria.appBelow;
  const hasApp =
    apps || appBelow !== undefined
      ? sql<boolean>`exists (select from device_app a where a.device_id = d.id${apps ? sql` and ${named(apps)}` : sql``}
          ${appBelow === undefined ? sql`` : sql` and a.version_code < ${appBelow}::bigint`})`
      : undefined;
  // Each of them by its name: one that is forgotten here doesn't compile, where it would match everybody.
  const each: Record<keyof GroupRule, Found> = {
    text: text === undefined ? undefined : await ofText(text),
    sn: sn === undefined ? undefined : await lookUp(sql<boolean>`d.sn ilike ${partPattern(sn)}`),
    tag: tag === undefined ? undefined : await lookUp(sql<boolean>`d.tags && ${valuesOf(tag)}::text[]`),
    status: exact('d.status', criteria.status),
    productId: exact('d.product_id', criteria.productId),
    deptId: exact('d.dept_id', criteria.deptId),
    merchantId: exact('d.merchant_id', criteria.merchantId),
    shopId: exact('d.shop_id', criteria.shopId),
    firmware: exact('d.firmware', criteria.firmware),
    // Of many terminals at once or of one alone: both are found by the key.
    attention:
      attention && sql<boolean>`exists (select from device_attention a where a.device_id = d.id and a.kind = any(${attention}::text[]))`,
    doubles: doubles && (await lookUp(hasDouble(doubles, path))),
    app: hasApp,
    appBelow: apps ? undefined : hasApp,
    testTerminal: yesOrNo(criteria.testTerminal, sql<boolean>`d.test_terminal`, sql<boolean>`not d.test_terminal`),
    behind: criteria.behind === undefined ? undefined : yesOrNo(criteria.behind, isBehind(await behind())),
    createdAt: range('d.created_at', criteria.createdAt),
  };
  return all(...Object.values(each));
}
