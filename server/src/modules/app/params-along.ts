import type { SoftAppRelease } from '@mooring/contract/app/release-calls';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { RolloutKind, Subject, Target } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { OWN_RESULT, ownResults, resultOn } from '../paramfile/api.ts';

type Content = z.output<typeof SoftAppRelease>;
type Answers = Awaited<ReturnType<RolloutKind['payloadsFor']>>;

/** The template whose results travel along; none with what is removed. */
export const templateIn = ({ action, templateId }: Content): number | null => (action === 'uninstall' ? null : templateId);

/** Behind a version that is there without what travels along; no code reads so. */
const WITHOUT = '~';
export const isWithout = (current: string | null): boolean => current?.endsWith(WITHOUT) ?? false;

/** The same version, until a device `d` has today's parameters too, is another one. */
export const withParams = (runs: RawBuilder<string | null>, { version, templateId }: Subject): RawBuilder<string | null> =>
  templateId === undefined
    ? runs
    : sql<string | null>`case when ${runs} = ${version}::text and ${resultOn(templateId)} is distinct from ${OWN_RESULT}
        then ${version}::text || ${WITHOUT} else ${runs} end`;

/** To each terminal beside its package what counts for it now. Who lacks a required value gets neither. */
export async function paramsAlong(
  db: Db,
  app: Pick<AppContext, 'masterKey'>,
  { templateId, templateRevision }: Content & { readonly templateId: number },
  targets: readonly Target[],
  packages: Answers,
): Promise<Answers> {
  const served = targets.filter(({ deviceId }) => {
    const found = packages.get(deviceId);
    return found !== undefined && !('unserved' in found);
  });
  if (served.length === 0) return packages;
  const params = await ownResults(db, app, { templateId, templateRevision }, served);
  return new Map(
    [...packages].flatMap(([id, found]): [number, typeof found][] => {
      const own = params.get(id);
      if ('unserved' in found) return [[id, found]];
      return own ? [[id, 'unserved' in own ? own : { ...found, ...own }]] : [];
    }),
  );
}
