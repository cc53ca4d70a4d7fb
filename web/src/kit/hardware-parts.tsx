import { HARDWARE_TEST_HOURS, hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { type HardwarePart, hardwareParts } from '@mooring/contract/hardware-test/parts';
import { Checkbox } from '../ui/controls.tsx';
import { Unlinked } from '../ui/field.tsx';
import { useT } from '../ui/words.ts';
import type { ControlPart } from './form/types.ts';
import { bulkAct } from './list/types.ts';

/** Each part with its box. */
function PartsControl({ value = [], onChange, disabled }: ControlPart<readonly HardwarePart[] | undefined>) {
  const t = useT();
  return (
    <Unlinked>
      <div className="m-row m-row-wrap">
        {hardwareParts.map((part) => (
          <Checkbox
            key={part}
            value={value.includes(part)}
            disabled={disabled}
            onChange={(on) => onChange(hardwareParts.filter((one) => (one === part ? on : value.includes(one))))}
          >
            {t(`hardwareTest.part.${part}`)}
          </Checkbox>
        ))}
      </div>
    </Unlinked>
  );
}

/** What a test asks for, of one terminal and of many. */
export const partsFields = [
  { name: 'parts', label: 'hardwareTest.parts', Control: PartsControl, wide: true },
  { name: 'hours', label: 'hardwareTest.hours', kind: 'number' },
] as const;
export const partsInitial = { parts: [...hardwareParts], hours: HARDWARE_TEST_HOURS };

export const testHardware = bulkAct(hardwareTestCalls.many, {
  label: 'device.bulk.hardwareTest',
  icon: 'hardwareTest',
  successText: 'hardwareTest.many.done',
  text: 'hardwareTest.add.about',
  form: { fields: partsFields, initial: partsInitial },
});
