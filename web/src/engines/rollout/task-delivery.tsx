import { Delivery } from '@mooring/contract/engines/rollout/schemas';
import { SubForm } from '../../kit/form/sub-form.tsx';
import type { FieldSpec, Values } from '../../kit/form/types.ts';
import type { Form } from '../../kit/form/use-form.ts';
import { pacePerMinute } from './delivery-facts.ts';
import { type Brings, bringsOf, type ReleaseKind } from './release-kind.ts';
import { RingsControl } from './task-rings-control.tsx';
import { WindowControl } from './window-control.tsx';

const allFields: readonly FieldSpec[] = [
  { name: 'startAt', label: 'firmware.task.startAt', help: 'firmware.task.startHelp', kind: 'moment' },
  { name: 'expiresAt', label: 'firmware.task.expiresAt', help: 'firmware.task.expiresHelp', kind: 'moment' },
  { name: 'window', label: 'firmware.task.window', help: 'firmware.task.windowHelp', Control: WindowControl, wide: true },
  { name: 'download', label: 'firmware.task.download', names: 'firmware.task.download.' },
  { name: 'install', label: 'firmware.task.install', names: 'firmware.task.install.' },
  { name: 'network', label: 'firmware.task.network', names: 'firmware.task.network.' },
  { name: 'onBusy', label: 'firmware.task.onBusy', names: 'firmware.task.onBusy.' },
  { name: 'pacePerMinute', label: 'firmware.task.pacePerMinute', help: 'firmware.task.paceHelp', kind: 'number' },
  { name: 'paceAtOnce', label: 'firmware.task.paceAtOnce', help: 'firmware.task.paceAtOnceHelp', kind: 'number' },
  { name: 'jitterSeconds', label: 'firmware.task.jitter' },
  { name: 'retries', label: 'firmware.task.retries' },
  { name: 'retryWaitSeconds', label: 'firmware.task.retryWait' },
  { name: 'timeoutMinutes', label: 'firmware.task.timeout', help: 'firmware.task.timeoutHelp' },
  { name: 'waitingDays', label: 'window.waitingDays', help: 'window.waitingDaysHelp' },
  { name: 'rings', label: 'ring.title', help: 'ring.help', Control: RingsControl, wide: true },
  { name: 'haltPercent', label: 'firmware.task.halt', help: 'firmware.task.haltHelp', kind: 'number', unit: 'kit.unit.percent' },
  { name: 'haltAfter', label: 'firmware.task.haltAfter', help: 'firmware.task.haltAfterHelp' },
  { name: 'laterMembers', label: 'release.laterMembers', help: 'release.laterMembersHelp' },
  { name: 'allowDowngrade', label: 'firmware.task.allowDowngrade' },
];

/** Fields that stand only where the release brings what they are about. */
const about: Readonly<Record<string, keyof Brings>> = { download: 'downloads', allowDowngrade: 'versions' };

export function deliveryFields(kind: ReleaseKind, isPreset: boolean): readonly FieldSpec[] {
  const brings = bringsOf(kind);
  return (
    allFields
      // First-contact releases are for later terminals by themselves.
      .filter((field) => !(isPreset && field.name === 'laterMembers'))
      .filter(({ name }) => about[name] === undefined || brings[about[name]])
      .map((field) => (field.name === 'pacePerMinute' ? { ...field, label: pacePerMinute(brings) } : field))
  );
}

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
