import { softAppKind } from '@mooring/contract/app/app-kind';
import type { Drift } from '@mooring/contract/engines/rollout/drift-calls';
import { t } from '../../ui/words.ts';
import { isPackaged, type ReleaseKind, sentBy } from './release-kind.ts';

const isApp = ({ of }: ReleaseKind) => of.kind === softAppKind.kind;

/** What the release left, in a line. */
export const leftBy = (kind: ReleaseKind, { content, part, version }: Drift): string =>
  content ? sentBy(kind, { package: null, content }) : [part, isPackaged(kind) || isApp(kind) ? version : null].filter(Boolean).join(' ');

/** What the terminal says it has instead: a version, or only that it is something else. */
export function foundOn(kind: ReleaseKind, { found }: Pick<Drift, 'found'>): string {
  const isVersion = isPackaged(kind) || isApp(kind);
  if (found === null) return t(isApp(kind) ? 'drift.found.noApp' : 'drift.found.none');
  return isVersion ? found : t('drift.found.other');
}
