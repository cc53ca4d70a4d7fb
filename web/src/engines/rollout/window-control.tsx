import type { ControlPart } from '../../kit/form/types.ts';
import { MultiSelect, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { TagsInput } from '../../ui/tags-input.tsx';
import { useT } from '../../ui/words.ts';
import { type Hours, useNextHours } from './next-hours.ts';

const days = [1, 2, 3, 4, 5, 6, 7] as const;

/** When the window opens next; whoever leaves no day open is told. */
function NextHours({ window }: { window: Hours }) {
  const t = useT();
  const next = useNextHours()(window);
  if (!next) return null;
  if (next.length === 0) return <p role="alert">{t('window.never')}</p>;
  return <p className="m-muted">{t('window.next', { hours: next.join(' · ') })}</p>;
}

/** Days, hours and closed dates; without a day there is no window. */
export function WindowControl({ value, onChange, onBlur }: ControlPart<Hours | null | undefined>) {
  const t = useT();
  const now: Hours = value ?? { days: [], from: '02:00', to: '05:00' };
  const isOff = now.days.length === 0;
  const put = (part: Partial<Hours>) => {
    const next = { ...now, ...part };
    onChange(next.days.length === 0 ? null : next);
  };
  return (
    <>
      <div className="m-fields m-fields-window">
        <Field label={t('firmware.task.windowDays')}>
          <MultiSelect
            value={now.days as number[]}
            onChange={(chosen) => put({ days: chosen.toSorted() })}
            options={days.map((day) => ({ value: day as number, label: t(`firmware.task.day.${day}`) }))}
          />
        </Field>
        <Field label={t('firmware.task.windowFrom')}>
          <TextInput value={now.from} onChange={(from) => put({ from })} onBlur={onBlur} disabled={isOff} />
        </Field>
        <Field label={t('firmware.task.windowTo')}>
          <TextInput value={now.to} onChange={(to) => put({ to })} onBlur={onBlur} disabled={isOff} />
        </Field>
      </div>
      {isOff ? null : (
        <>
          <Field label={t('window.blackout')} help={t('window.blackoutHelp')}>
            <TagsInput value={now.blackout ?? []} onChange={(blackout) => put({ blackout: blackout.toSorted() })} onBlur={onBlur} />
          </Field>
          <NextHours window={now} />
        </>
      )}
    </>
  );
}
