import { conditionOf, paramsOf } from '@mooring/contract/alert/conditions';
import { AlertRule, alertRuleCalls, MOST_ALERT_RULES } from '@mooring/contract/alert/rule';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { checkUntil } from './alarm-acts.ts';
import { alarmRows } from './open-alarms.ts';
import { previewRule } from './preview.ts';
import { sayTestOf } from './receiver.resource.ts';
import { ALARM_CALLS } from './watch.ts';

type Kind = Parameters<typeof conditionOf>[0];
interface Written {
  readonly scope: 'all' | 'depts' | 'groups' | 'products';
  readonly params: Record<string, unknown>;
  readonly deptIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly productIds: readonly number[];
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly escalateMinutes: number | null;
  readonly escalateIds: readonly number[];
}
const wrong = (name: string, text = 'invalid.required') => new Fault('BAD_INPUT', { fields: { [name]: text } });
const listOf = { depts: 'deptIds', groups: 'groupIds', products: 'productIds' } as const;

/** What one field alone doesn't show. */
function checked(kind: Kind, input: Written) {
  const read = paramsOf(kind).safeParse(input.params);
  if (!read.success) throw wrong('params', 'invalid.alertParams');
  if (!conditionOf(kind).scopes.includes(input.scope)) throw wrong('scope', 'invalid.alertScope');
  const list = input.scope === 'all' ? undefined : listOf[input.scope];
  if (list && input[list].length === 0) throw wrong(list);
  if ((input.quietFrom === '') !== (input.quietTo === '')) throw wrong(input.quietFrom === '' ? 'quietFrom' : 'quietTo');
  if (input.escalateMinutes !== null && input.escalateIds.length === 0) throw wrong('escalateIds');
  return {
    params: JSON.stringify(read.data),
    dept_ids: list === 'deptIds' ? input.deptIds : [],
    group_ids: list === 'groupIds' ? input.groupIds : [],
    product_ids: list === 'productIds' ? input.productIds : [],
  };
}

/** Those who add at once come one after the other. */
async function checkCount(db: Db, deptId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('alert rules', ${deptId}))`.execute(db);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from alert_rule where dept_id = ${deptId} and kind <> 'geofence'`.execute(db);
  if ((rows[0]?.n ?? 0) >= MOST_ALERT_RULES) throw new Fault('ALERT_RULES_MANY', { params: { most: MOST_ALERT_RULES } });
}

/** Its alarms, which are of what it waits for no more. */
async function endAll(ctx: Ctx, db: Db, id: number): Promise<void> {
  const set = { closed_at: ctx.now(), closed_by: ctx.actor.userName, tell_at: null, escalate_at: null };
  await move(db, alarmRows, 'close', sql`rule_id = ${id}`, { actorId: ctx.actor.userId, set });
  await sql`delete from alert_pending where rule_id = ${id}`.execute(db);
}

const ruleBy = async (db: Db, id: number) => {
  const row = await db.selectFrom('alert_rule').selectAll().where('id', '=', id).where('kind', '<>', 'geofence').executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
};
const numbers = (list: readonly (number | string)[]) => list.map(Number);

export const makeRules = (app: AppContext): Resource<typeof AlertRule> => {
  const rules: Resource<typeof AlertRule> = resource(AlertRule, alertRuleCalls, {
    table: 'alert_rule',
    target: (row) => `alert rule ${row.name}`,
    // Those of geofences are changed with them.
    joined: (query) =>
      query.innerJoin('org_dept as o', 'o.id', 't.dept_id').where('t.kind', '<>', 'geofence').select(['o.name as dept_name']),
    // Lists of large numbers come as texts.
    shown: (row) => ({
      deptIds: numbers(row.dept_ids),
      groupIds: numbers(row.group_ids),
      productIds: numbers(row.product_ids),
      receiverIds: numbers(row.receiver_ids),
      escalateIds: numbers(row.escalate_ids),
    }),
    cells: { params: (params) => Object.values(params).join(', ') },
    columns: async (ctx, input, { before, db }) => {
      if (!before) await checkCount(db, input.deptId);
      const columns = checked(input.kind, input);
      if (before && before.kind !== input.kind) await endAll(ctx, db, before.id);
      await ctx.invalidate(db, ALARM_CALLS);
      return columns;
    },
    // Nothing would end them any more.
    deleted: (ctx, row) => endAll(ctx, ctx.db, row.id),
    acts: { mute: alertRuleCalls.mute, test: alertRuleCalls.test },
    handlers: {
      preview: previewRule,
      mute: async (ctx, { id, until }) => {
        checkUntil(ctx, until);
        const { name } = await ruleBy(ctx.db, id);
        await ctx.db.updateTable('alert_rule').set({ muted_until: until }).where('id', '=', id).execute();
        await ctx.invalidate(ctx.db, ALARM_CALLS);
        ctx.audit({ target: `alert rule ${name}`, after: { mutedUntil: until } });
        return rules.read(ctx, id);
      },
      test: async (ctx, { id }) => {
        const rule = await ctx.inTx((db) => ruleBy(db, id));
        ctx.audit({ target: `alert rule ${rule.name}` });
        return sayTestOf(app, ctx, rule);
      },
    },
  });
  return rules;
};
