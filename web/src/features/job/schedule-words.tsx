import type { jobCalls } from '@mooring/contract/job/calls';
import { choicesFor, type Every, minutesFor, type Schedule } from '@mooring/contract/job/schedule';
import { useActed } from '../../kit/act/acted.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import type { RowOf } from '../../kit/list/types.ts';
import { NumberInput, Select, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { t, useT } from '../../ui/words.ts';

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** "Daily at 03:17 UTC". */
export function scheduleWords(schedule: Schedule): string {
  switch (schedule.every) {
    case 'minutes':
      return t('job.schedule.minutes', { count: schedule.count });
    case 'hour':
      return t('job.schedule.hour', { minute: schedule.minute });
    case 'day':
      return t('job.schedule.day', { at: schedule.at });
    case 'week':
      return t('job.schedule.week', { weekday: t(`firmware.task.day.${schedule.weekday as 1}`), at: schedule.at });
  }
}

/** The same time as far as it can be kept. */
function changedTo(every: Every, now: Schedule): Schedule {
  const at = 'at' in now ? now.at : `00:${String('minute' in now ? now.minute : 0).padStart(2, '0')}`;
  if (every === 'hour') return { every, minute: Number(at.slice(3)) || 0 };
  if (every === 'week') return { every, weekday: 7, at };
  return { every: 'day', at };
}

/** As often as the job was made for, or more seldom. */
export function ScheduleControl({ value, onChange, onBlur }: ControlPart<Schedule>) {
  const words = useT();
  const { usual } = useActed<RowOf<typeof jobCalls.page>>();
  return (
    <div className="m-fields">
      <Field label={words('job.every')}>
        <Select
          value={value.every}
          onChange={(every = value.every) => onChange(changedTo(every, value))}
          options={choicesFor(usual).map((every) => ({ value: every, label: words(`job.every.${every}`) }))}
        />
      </Field>
      {value.every === 'minutes' ? (
        <Field label={words('job.count')}>
          <Select
            value={value.count}
            onChange={(count = value.count) => onChange({ ...value, count })}
            options={minutesFor(usual).map((step) => ({ value: step, label: String(step) }))}
          />
        </Field>
      ) : null}
      {value.every === 'hour' ? (
        <Field label={words('job.minute')}>
          <NumberInput value={value.minute} onChange={(minute) => onChange({ ...value, minute: minute as number })} />
        </Field>
      ) : null}
      {value.every === 'week' ? (
        <Field label={words('job.weekday')}>
          <Select
            value={value.weekday}
            onChange={(weekday = value.weekday) => onChange({ ...value, weekday })}
            options={weekdays.map((day) => ({ value: day as number, label: words(`firmware.task.day.${day}`) }))}
          />
        </Field>
      ) : null}
      {'at' in value ? (
        <Field label={words('job.at')}>
          <TextInput value={value.at} onChange={(at) => onChange({ ...value, at })} onBlur={onBlur} />
        </Field>
      ) : null}
      <p className="m-muted">{words('job.usual', { schedule: scheduleWords(usual) })}</p>
    </div>
  );
}
