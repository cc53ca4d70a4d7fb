import { Delivery } from '@mooring/contract/engines/rollout/schemas';
import { SubForm } from '../../kit/form/sub-form.tsx';
import type { ControlPart, FieldSpec, Values } from '../../kit/form/types.ts';
import type { Form } from '../../kit/form/use-form.ts';
import { MultiSelect, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import type { ReleaseKind } from './release-kind.ts';
import { RingsControl } from './task-rings-control.tsx';

interface Window {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}
const days = [1, 2, 3, 4, 5, 6, 7] as const;

/** Days and hours; without a day there is no window. */
function WindowControl({ value, onChange, onBlur }: ControlPart<Window | null | undefined>) {
  const t = useT();
  const now: Window = value ?? { days: [], from: '02:00', to: '05:00' };
  const put = (part: Partial<Window>) => {
    const next = { ...now, ...part };
    onChange(next.days.length === 0 ? null : next);
  };
  return (
    <div className="m-fields m-fields-window">
      <Field label={t('firmware.task.windowDays')}>
        <MultiSelect
          value={now.days as number[]}
          onChange={(chosen) => put({ days: chosen.toSorted() })}
          options={days.map((day) => ({ value: day as number, label: t(`firmware.task.day.${day}`) }))}
        />
      </Field>
      <Field label={t('firmware.task.windowFrom')}>
        <TextInput value={now.from} onChange={(from) => put({ from })} onBlur={onBlur} disabled={now.days.length === 0} />
      </Field>
      <Field label={t('firmware.task.windowTo')}>
        <TextInput value={now.to} onChange={(to) => put({ to })} onBlur={onBlur} disabled={now.days.length === 0} />
      </Field>
    </div>
  );
}

const allFields: readonly FieldSpec[] = [
  { name: 'startAt', label: 'firmware.task.startAt', help: 'firmware.task.startHelp', kind: 'moment' },
  { name: 'expiresAt', label: 'firmware.task.expiresAt', help: 'firmware.task.expiresHelp', kind: 'moment' },
  { name: 'window', label: 'firmware.task.window', help: 'firmware.task.windowHelp', Control: WindowControl, wide: true },
  { name: 'download', label: 'firmware.task.download', names: 'firmware.task.download.' },
  { name: 'install', label: 'firmware.task.install', names: 'firmware.task.install.' },
  { name: 'network', label: 'firmware.task.network', names: 'firmware.task.network.' },
  { name: 'onBusy', label: 'firmware.task.onBusy', names: 'firmware.task.onBusy.' },
  { name: 'pacePerMinute', label: 'firmware.task.pacePerMinute', help: 'firmware.task.paceHelp', kind: 'number' },
  { name: 'paceAtOnce', label: 'firmware.task.paceAtOnce', help: 'firmware.task.paceHelp', kind: 'number' },
  { name: 'jitterSeconds', label: 'firmware.task.jitter' },
  { name: 'retries', label: 'firmware.task.retries' },
  { name: 'retryWaitSeconds', label: 'firmware.task.retryWait' },
  { name: 'timeoutMinutes', label: 'firmware.task.timeout', help: 'firmware.task.timeoutHelp' },
  { name: 'rings', label: 'ring.title', help: 'ring.help', Control: RingsControl, wide: true },
  { name: 'haltPercent', label: 'firmware.task.halt', help: 'firmware.task.haltHelp', kind: 'number', unit: 'kit.unit.percent' },
  { name: 'haltAfter', label: 'firmware.task.haltAfter', help: 'firmware.task.haltAfterHelp' },
  { name: 'allowDowngrade', label: 'firmware.task.allowDowngrade' },
];

/** Nothing is downloaded, and nothing has a version, where something is set. */
const ofPackages: readonly string[] = ['download', 'allowDowngrade'];
export const pacePerMinute = (kind: ReleaseKind): TextKey => (kind.packages ? 'firmware.task.pacePerMinute' : 'release.pacePerMinute');

export const deliveryFields = (kind: ReleaseKind): readonly FieldSpec[] =>
  allFields
    .filter((field) => kind.packages !== undefined || !ofPackages.includes(field.name))
    .map((field) => (field.name === 'pacePerMinute' ? { ...field, label: pacePerMinute(kind) } : field));

interface DeliveryProps {
  fields: readonly FieldSpec[];
  form: Form;
  onChange: (delivery: Values) => void;
}
export const DeliveryFields = ({ fields, form, onChange }: DeliveryProps) => (
  <SubForm
    schema={Delivery}
    fields={fields}
    value={form.values.delivery as Values | undefined}
    onChange={onChange}
    of={{ form, name: 'delivery' }}
  />
);
