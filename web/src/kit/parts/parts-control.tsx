import { costOf, type Part } from '@mooring/contract/shared/money';
import { moneyInput } from '@mooring/contract/shared/patterns';
import { Button, IconButton } from '../../ui/button.tsx';
import { NumberInput, TextInput } from '../../ui/controls.tsx';
import { Unlinked } from '../../ui/field.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import type { ControlPart } from '../form/types.ts';
import './parts.css';

/** Parts with their quantity and unit price, and what they come to. */
export function PartsControl({ value = [], onChange, onBlur, values, disabled }: ControlPart<readonly Part[] | undefined>) {
  const t = useT();
  const format = useFormat();
  const put = (at: number, part: Partial<Part>) => onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const cost = costOf(value);
  return (
    <Unlinked>
      <div className="m-stack-tight">
        {value.map(({ name, quantity, price }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <div key={at} className="m-part">
            <TextInput
              label={t('maintenance.parts.name')}
              placeholder={t('maintenance.parts.name')}
              value={name}
              max={64}
              onChange={(next) => put(at, { name: next })}
              onBlur={onBlur}
              disabled={disabled}
            />
            <NumberInput
              label={t('maintenance.parts.quantity')}
              value={quantity}
              onChange={(next) => put(at, { quantity: next as number })}
              onBlur={onBlur}
              disabled={disabled}
            />
            <TextInput
              label={t('maintenance.parts.price')}
              placeholder={t('maintenance.parts.price')}
              inputMode="decimal"
              value={price}
              onChange={(next) => put(at, { price: moneyInput(next) })}
              onBlur={onBlur}
              disabled={disabled}
            />
            <IconButton
              icon="delete"
              label={t('maintenance.parts.remove', { name: name || String(at + 1) })}
              disabled={disabled}
              onClick={() => onChange(value.toSpliced(at, 1))}
            />
          </div>
        ))}
        <div className="m-row m-row-wrap">
          <Button small icon="add" disabled={disabled} onClick={() => onChange([...value, { name: '', quantity: 1, price: '' }])}>
            {t('maintenance.parts.add')}
          </Button>
          {cost > 0 ? (
            <span className="m-muted">
              {t('maintenance.cost')} {format.money(cost / 100, values.currency === '2' ? '2' : '1')}
            </span>
          ) : null}
        </div>
      </div>
    </Unlinked>
  );
}
