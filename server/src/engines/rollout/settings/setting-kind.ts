import { createHash } from 'node:crypto';
import type { Settings } from '@mooring/contract/device/messages';
import { SETTINGS_DIGEST, settingsText } from '@mooring/contract/device/settings';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { RolloutKind, SubjectOf } from '../task.ts';
import { settingBack } from './setting-back.ts';

interface SettingKind<C extends z.ZodType> {
  readonly of: TaskKind;
  readonly content: C;
  /** What of a terminal is set, and its values; none put back what was there before. */
  setting(content: z.output<C>): Settings;
}

/** Of values as a terminal has them. */
export const settingsDigest = (values: Settings['values']): string | null =>
  values === null ? null : createHash('sha256').update(settingsText(values)).digest('hex').slice(0, SETTINGS_DIGEST);

/** A kind that sets something on terminals: sent with the deployment itself, and known to hold by the digest that the terminal reports. */
export function settingKind<C extends z.ZodType>({ of, content, setting }: SettingKind<C>): RolloutKind {
  const settingOf = (task: SubjectOf) => setting(content.parse(task.content));
  return {
    of,
    files: [],
    current: ({ name }) => sql<string | null>`d.settings ->> ${name}`,
    subjectOf: async (_db, task) => {
      const { section, values } = settingOf(task);
      return { name: section, version: settingsDigest(values), productId: task.product_id };
    },
    back: settingBack({
      reset: (given) => ({ ...given, action: 'reset' }),
      makes: (given, version) => settingsDigest(setting(content.parse(given)).values) === version,
    }),
    check: async () => {},
    weigh: async () => () => ({ gets: 'settings', bytes: 0 }),
    async payloadsFor(_db, _app, task, targets) {
      const settings = settingOf(task);
      return new Map(targets.map((target) => [target.deviceId, { settings }]));
    },
  };
}
