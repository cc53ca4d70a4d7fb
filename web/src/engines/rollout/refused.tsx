import type { Refusal } from '@mooring/contract/engines/rollout/schemas';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { t, useT } from '../../ui/words.ts';

type Preview = OutputOf<TaskCalls['preview']>;

/** Nobody minds: it is there already. */
const isHarmless = (reason: Refusal) => reason === 'same';

/** Why nothing would be updated, in a line. */
export const whyNobody = (of: Preview['refused']): string =>
  [t('firmware.preview.matched', { count: 0 }), ...of.map(({ reason, count }) => t(`firmware.preview.refused.${reason}`, { count }))].join(
    ' · ',
  );

interface RefusedProps {
  of: Preview['refused'];
  /** Left out where there is no such choice. */
  onAllowDowngrade: (() => void) | undefined;
}
/** Which of the terminals that were asked for aren't updated, by reason, with the first few of each; and what would change that. */
export function Refused({ of, onAllowDowngrade }: RefusedProps) {
  const t = useT();
  if (of.length === 0) return null;
  const isNewer = of.some(({ reason }) => reason === 'newer');
  return (
    <Note
      tone={of.every(({ reason }) => isHarmless(reason)) ? 'info' : 'warn'}
      action={
        isNewer && onAllowDowngrade ? (
          <Button small onClick={onAllowDowngrade}>
            {t('firmware.task.allowDowngrade')}
          </Button>
        ) : undefined
      }
    >
      <p>{t('firmware.preview.refused', { count: of.reduce((sum, one) => sum + one.count, 0) })}</p>
      <ul>
        {of.map(({ reason, count, sns }) => (
          <li key={reason}>
            {t(`firmware.preview.refused.${reason}`, { count })}
            {sns.length > 0 ? <bdi>{`: ${sns.join(', ')}${count > sns.length ? ' …' : ''}`}</bdi> : null}
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** Terminals that lack a required value, with the first few and what it is. */
export function Lacking({ of: { count, looked, terminals }, matched }: { of: Preview['lacking']; matched: number }) {
  const t = useT();
  if (count === 0) return null;
  return (
    <Note tone="warn">
      <p>{matched > looked ? t('firmware.preview.lackingMore', { count, looked }) : t('firmware.preview.lacking', { count })}</p>
      <ul>
        {terminals.map(({ sn, fields }) => (
          <li key={sn}>
            <bdi>{sn}</bdi>: <bdi>{fields}</bdi>
          </li>
        ))}
        {count > terminals.length ? <li>…</li> : null}
      </ul>
    </Note>
  );
}

const FEW = 10;

/** Serial numbers that were given in vain. */
export function InVain({ title, sns }: { title: string; sns: readonly string[] }) {
  if (sns.length === 0) return null;
  return (
    <Note tone="warn">
      {title}: <bdi>{`${sns.slice(0, FEW).join(', ')}${sns.length > FEW ? ' …' : ''}`}</bdi>
    </Note>
  );
}
