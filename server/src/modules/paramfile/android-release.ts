import { Fault, fault } from '@mooring/contract/kit/fault';
import { AndroidParamsKept, androidTaskCalls, androidTaskDeviceCalls, paramFaults } from '@mooring/contract/paramfile/android-calls';
import { androidParamKind } from '@mooring/contract/paramfile/android-kind';
import { isGiven, templateLimits, wrongValues } from '@mooring/contract/paramfile/template-fields';
import { type RawBuilder, sql } from 'kysely';
import { hadBefore } from '../../engines/rollout/had-before.ts';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { settingBack } from '../../engines/rollout/settings/setting-back.ts';
import { settingsDigest } from '../../engines/rollout/settings/setting-kind.ts';
import type { Subject, SubjectOf } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { sealSettings } from '../../platform/gateway/sealed-settings.ts';
import { ownCurrent } from './drift.ts';
import { missingAt, OWN_RESULT, ownResults } from './own-results.ts';
import { digestAt, keepSecrets, openValues, secretsAt, valuesWith } from './secrets.ts';
import { fieldsOf, templateOf } from './template-of.ts';

type Sealer = Pick<AppContext, 'masterKey'>;
const contentOf = ({ content }: SubjectOf) => AndroidParamsKept.parse(content);

/** What is kept of what a person gave: held against the template, its secrets apart and sealed. */
async function filled(ctx: Ctx, app: Sealer, task: SubjectOf, path: string): Promise<object> {
  const given = contentOf(task);
  const template = await templateOf(ctx.db, given.templateId);
  const of = { templateId: template.id, templateName: template.name, templateRevision: template.revision, action: given.action };
  if (given.action === 'reset') return { ...of, values: {}, kept: null, secretKeys: [] };
  const fields = fieldsOf(template);
  if (given.mode === 'own') return { ...of, mode: given.mode, values: {}, kept: null, secretKeys: [] };
  const before = await secretsAt(ctx, app, given.kept, template.id);
  const typed = new Map(given.secrets.map(({ key, value }) => [key, value]));
  // Those of a release of an organisation above aren't the actor's: they would be left out without a word.
  const gone = given.secretKeys.find((key) => !typed.has(key) && !Object.hasOwn(before, key) && fields.some((one) => one.key === key));
  if (gone !== undefined)
    throw new Fault('PARAM_SECRET_GONE', {
      params: { field: fields.find((one) => one.key === gone)?.label || gone },
      fields: { 'content.values': 'invalid.params' },
    });
  const [[key, wrong] = []] = wrongValues(fields, { ...given, secretKeys: Object.keys(before) });
  if (key !== undefined && wrong) {
    const field = fields.find((one) => one.key === key)?.label || key;
    throw new Fault(paramFaults[wrong.problem], {
      params: { field, limit: wrong.limit ?? 0 },
      fields: { 'content.values': 'invalid.params' },
    });
  }
  const values = Object.fromEntries(Object.entries(given.values).filter(([, value]) => isGiven(value)));
  const secrets = Object.fromEntries(
    fields.flatMap(({ key, type }) => {
      const value = typed.get(key) ?? (Object.hasOwn(before, key) ? before[key] : undefined);
      return type === 'secret' && value !== undefined ? [[key, value]] : [];
    }),
  );
  const bytes = Buffer.byteLength(JSON.stringify({ values, secrets }));
  if (bytes > templateLimits.bytes)
    throw new Fault('PARAM_MANY', { params: { kb: templateLimits.bytes / 1024 }, fields: { 'content.values': 'invalid.params' } });
  const secretKeys = Object.keys(secrets);
  const kept = secretKeys.length > 0 ? await keepSecrets(ctx, app, { templateId: template.id, values, secrets, path }) : null;
  return { ...of, values, kept, secretKeys };
}

/** What the terminal has of it now is told by the digest that it reports. */
async function subjectOf(db: Db, task: SubjectOf): Promise<Subject> {
  const { templateId, action, mode, values, kept } = contentOf(task);
  const { product_id } = await templateOf(db, templateId);
  const isOwn = action !== 'reset' && mode === 'own';
  const digest = isOwn ? OWN_RESULT : kept === null ? settingsDigest(openValues(values)) : await digestAt(db, kept);
  // Without it nobody could say which terminals have the values already.
  if (digest === null) throw fault('NOT_FOUND');
  return {
    name: `${androidParamKind.kind}.${templateId}`,
    version: action === 'reset' ? null : digest,
    productId: product_id ?? task.product_id,
    ...(isOwn ? { source: templateId } : {}),
  };
}

/** Of a result `r`: that the terminal had its own values before it, which are others for each; otherwise the digest of what it had. */
async function ownBefore(db: Db, subject: string): Promise<RawBuilder<string | null>> {
  const { rows } = await sql<{ id: number }>`
    select id from rollout_task where kind = ${androidParamKind.kind} and subject = ${subject} and started_at is not null
      and content ->> 'mode' = 'own' and content ->> 'action' <> 'reset'`.execute(db);
  if (rows.length === 0) return hadBefore;
  return sql<string | null>`case when exists (select from rollout_result p where p.task_id = any(${rows.map(({ id }) => id)}::bigint[])
      and p.device_id = r.device_id and p.id <> r.id and p.state in ('3', '6') and p.version = r.from_version and p.ended_at <= coalesce(r.ended_at, 'infinity'))
    then ${sql.lit(OWN_RESULT)} else ${hadBefore} end`;
}

/** Parameters of a terminal's Android system, from a template. */
export const androidParamRelease = (app: Sealer): KindOfRelease => ({
  kind: {
    of: androidParamKind,
    files: [],
    current: ({ name, version, source }) =>
      version === OWN_RESULT && source !== undefined ? ownCurrent(source, name) : sql<string | null>`d.settings ->> ${name}`,
    subjectOf,
    back: settingBack({
      was: ownBefore,
      reset: (given) => ({ ...given, action: 'reset', mode: 'task', values: {}, kept: null, secretKeys: [] }),
    }),
    async check(ctx, task) {
      const { action, templateId } = contentOf(task);
      const template = await templateOf(ctx.db, templateId);
      const { product_id } = template;
      if (action !== 'reset') fieldsOf(template);
      if (product_id !== null && task.product_id !== null && product_id !== task.product_id)
        throw new Fault('PARAM_PRODUCT', { fields: { productId: 'fault.PARAM_PRODUCT' } });
    },
    filled: (ctx, task, path) => filled(ctx, app, task, path),
    async lacking(ctx, task, deviceIds) {
      const { action, mode, templateId } = contentOf(task);
      return action === 'reset' || mode !== 'own' ? new Map() : missingAt(ctx, app, templateId, deviceIds);
    },
    weigh: async () => () => ({ gets: 'settings', bytes: 0 }),
    async payloadsFor(db, { masterKey }, task, targets) {
      const { action, mode, values, kept } = contentOf(task);
      if (action !== 'reset' && mode === 'own') return ownResults(db, app, contentOf(task), targets);
      const section = task.subject;
      const hidden = kept === null ? undefined : await valuesWith(db, app, kept, values);
      const settings = hidden
        ? sealSettings(masterKey, { section, values: hidden })
        : { section, values: action === 'reset' ? null : openValues(values) };
      return new Map(targets.map((target) => [target.deviceId, { settings }]));
    },
  },
  calls: { tasks: androidTaskCalls, devices: androidTaskDeviceCalls },
});
