import { WINDOW_DATES } from '@mooring/contract/device/messages';
import { use } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { Button } from '../../ui/button.tsx';
import { MultiSelect, TextInput } from '../../ui/controls.tsx';
import { DatesInput } from '../../ui/dates-input.tsx';
import { Field } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';
import { type Hours, useNextHours } from './next-hours.ts';
import { AskedOpening, OpeningsOf } from './openings.tsx';
import { week, weekdays } from './window-days.ts';

const choices = [
  { key: 'window.everyDay', days: week },
  { key: 'window.weekdays', days: weekdays },
] as const;
const usual = { from: '02:00', to: '05:00' } as const;

/** When the window opens next, of a release by the dates of its organisations too; whoever leaves no day open is told. */
function NextHours({ window }: { window: Hours }) {
  const t = useT();
  const release = use(OpeningsOf);
  const next = useNextHours()(window);
  if (!next) return null;
  if (next.length === 0) return <p role="alert">{t('window.never')}</p>;
  if (release)
    return (
      <p className="m-muted" role="status">
        <AskedOpening {...release} say={(hours) => t('window.next', { hours })} />
      </p>
    );
  return <p className="m-muted">{t('window.next', { hours: next.join(' · ') })}</p>;
}

/** Days, hours and closed dates; without a day there is no window. Hours without days are those of every day. */
export function WindowControl({ value, onChange, onBlur }: ControlPart<Hours | null | undefined>) {
  const t = useT();
  const now: Hours = value ?? { days: [], ...usual };
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
            options={week.map((day) => ({ value: day, label: t(`firmware.task.day.${day as 1}`) }))}
          />
        </Field>
        {(['from', 'to'] as const).map((end) => (
          <Field key={end} label={t(end === 'from' ? 'firmware.task.windowFrom' : 'firmware.task.windowTo')}>
            <TextInput
              value={isOff ? '' : now[end]}
              placeholder={usual[end]}
              onChange={(time) => put({ [end]: time, ...(isOff ? { days: week } : {}) })}
              onBlur={onBlur}
            />
          </Field>
        ))}
      </div>
      <div className="m-row m-row-wrap">
        {choices.map(({ key, days }) => (
          <Button key={key} small pressed={now.days.join() === days.join()} onClick={() => put({ days })}>
            {t(key)}
          </Button>
        ))}
      </div>
      {isOff ? null : (
        <>
          <Field label={t('window.blackout')} help={t('window.blackoutHelp')}>
            <DatesInput value={now.blackout ?? []} onChange={(blackout) => put({ blackout })} onBlur={onBlur} most={WINDOW_DATES} />
          </Field>
          <NextHours window={now} />
        </>
      )}
    </>
  );
}
