import { createHmac } from 'node:crypto';
import type { Settings } from '@mooring/contract/device/messages';
import { missingOf, type Resolved } from '@mooring/contract/paramfile/resolve';
import { type TemplateField, templateLimits } from '@mooring/contract/paramfile/template-fields';
import { settingsDigest } from '../../engines/rollout/settings/setting-kind.ts';
import type { Sealer } from './levels.ts';

type Values = NonNullable<Settings['values']>;
interface ResultOf {
  readonly templateId: number;
  readonly deviceId: number;
  readonly fields: readonly TemplateField[];
  readonly found: ReadonlyMap<string, Resolved>;
}

export const sectionOf = (templateId: number): string => `androidParam.${templateId}`;

/** The terminal's own, and the same whenever its result is: nobody finds a short secret by its digest, and two results can be told apart. */
const saltOf = ({ masterKey }: Sealer, { templateId, deviceId }: ResultOf): string =>
  createHmac('sha256', masterKey.derive('param-result')).update(`${templateId} ${deviceId}`).digest('hex').slice(0, 32);

/** What a terminal is sent of its own result. Salted where secrets are in it, as with the values of a task. */
function resultValues(app: Sealer, of: ResultOf): { readonly values: Values; readonly isSecret: boolean } {
  const part = (isSecret: boolean) =>
    Object.fromEntries(
      of.fields.flatMap(({ key, type }) => {
        const value = of.found.get(key)?.value ?? null;
        return (type === 'secret') === isSecret && value !== null ? [[key, value]] : [];
      }),
    );
  const [values, secrets] = [part(false), part(true)];
  const isSecret = Object.keys(secrets).length > 0;
  return { isSecret, values: isSecret ? { values, secrets, salt: saltOf(app, of) } : { values } };
}

interface Sent {
  readonly values: Values;
  readonly isSecret: boolean;
  /** What the terminal says when it has it. */
  readonly digest: string | null;
  readonly unserved?: undefined;
}
/** Why nothing is sent: required fields without a value, or more than one message holds. */
interface Unsent {
  readonly unserved: 'paramMissing' | 'paramTooLong';
  readonly missing: readonly TemplateField[];
  readonly digest: null;
}
/** What a terminal is sent of a template, or why nothing is: for whoever sends it, follows it or shows it. */
export function outcomeOf(app: Sealer, of: ResultOf): Sent | Unsent {
  const missing = missingOf(of.fields, of.found);
  if (missing.length > 0) return { unserved: 'paramMissing', missing, digest: null };
  const { values, isSecret } = resultValues(app, of);
  if (Buffer.byteLength(JSON.stringify(values)) > templateLimits.bytes) return { unserved: 'paramTooLong', missing: [], digest: null };
  return { values, isSecret, digest: settingsDigest(values) };
}
