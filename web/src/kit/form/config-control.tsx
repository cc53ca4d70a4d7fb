import { CONFIG_NAME, type ConfigValues, MOST_CONFIG_TEXT } from '@mooring/contract/device/config-values';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { NumberInput, Select, Switch, TextInput } from '../../ui/controls.tsx';
import { Unlinked, useOwnError } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';
import type { ControlPart } from './types.ts';

type Value = ConfigValues[string];
const kinds = ['string', 'number', 'boolean'] as const;
type Kind = (typeof kinds)[number];
const empty: Readonly<Record<Kind, Value>> = { string: '', number: 0, boolean: false };
interface Row {
  readonly at: number;
  readonly key: string;
  readonly value: Value;
}

const rowsOf = (values: ConfigValues): Row[] => Object.entries(values).map(([key, value], at) => ({ at, key, value }));
const isTwice = (rows: readonly Row[], key: string) => rows.filter((row) => row.key === key).length > 1;
/** A row that nothing was written into yet. */
const isBlank = ({ key, value }: Row) => key === '' && !value;

function OneValue({ row, put, disabled }: { row: Row; put: (value: Value) => void; disabled: boolean }) {
  const t = useT();
  const label = t('config.value');
  if (typeof row.value === 'boolean') return <Switch label={label} value={row.value} onChange={put} disabled={disabled} />;
  if (typeof row.value === 'number')
    return <NumberInput label={label} value={row.value} onChange={(next) => put(next ?? 0)} disabled={disabled} />;
  return <TextInput label={label} value={row.value} max={MOST_CONFIG_TEXT} onChange={put} disabled={disabled} />;
}

/** Settings by their names, a row each. A name that is wrong, or stands there twice, holds the form: one of the two would be lost. */
export function ConfigControl({ value, onChange, disabled }: ControlPart<ConfigValues | undefined>) {
  const t = useT();
  const [rows, setRows] = useState(() => rowsOf(value ?? {}));
  const written = rows.filter((row) => !isBlank(row));
  const twice = written.find((row) => isTwice(written, row.key));
  const isMisnamed = written.some((row) => !CONFIG_NAME.test(row.key));
  useOwnError(isMisnamed ? t('invalid.property') : twice ? t('config.twice', { name: twice.key }) : undefined);
  const change = (next: readonly Row[]) => {
    setRows([...next]);
    onChange(Object.fromEntries(next.filter((row) => !isBlank(row)).map((row) => [row.key, row.value])));
  };
  const put = (at: number, more: Partial<Row>) => change(rows.map((row) => (row.at === at ? { ...row, ...more } : row)));
  const add = () => change([...rows, { at: Math.max(-1, ...rows.map((row) => row.at)) + 1, key: '', value: '' }]);
  return (
    <Unlinked>
      <div className="m-stack-tight">
        {rows.map((row) => (
          <div key={row.at} className="m-config-row">
            <TextInput
              label={t('config.name')}
              mono
              value={row.key}
              max={64}
              onChange={(key) => put(row.at, { key })}
              disabled={disabled}
            />
            <Select
              label={t('config.kind')}
              value={typeof row.value as Kind}
              options={kinds.map((kind) => ({ value: kind, label: t(`config.kind.${kind}`) }))}
              onChange={(kind) => put(row.at, { value: empty[kind ?? 'string'] })}
              disabled={disabled}
            />
            <OneValue row={row} put={(next) => put(row.at, { value: next })} disabled={disabled} />
            <IconButton
              icon="delete"
              label={t('config.remove', { name: row.key })}
              onClick={() => change(rows.filter((one) => one !== row))}
              disabled={disabled}
            />
          </div>
        ))}
        <div>
          <Button icon="add" onClick={add} disabled={disabled}>
            {t('config.add')}
          </Button>
        </div>
      </div>
    </Unlinked>
  );
}
