import { MOST_SNS } from '@mooring/contract/device/group-calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { countCalls } from '@mooring/contract/inventory/count';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useRef, useState } from 'react';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { api, messageOf } from '../../kit/client.ts';
import { page } from '../../kit/page.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { session } from '../../kit/session.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { parsed, tab } from '../../kit/storage.ts';
import { goOn, useView } from '../../kit/view.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Stat } from '../../ui/figures.tsx';
import { Note } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useT, wordsOf } from '../../ui/words.ts';
import { CountFile, type Scanned } from './count-file.tsx';
import './inventory.css';

type Scan = OutputOf<typeof countCalls.check> & { readonly at: number };
interface Count {
  readonly deptId: number | undefined;
  readonly productId: number | null;
  readonly scans: readonly Scan[];
  /** One that was begun before there was a field for it has none. */
  readonly remark?: string;
}
const KEY = 'stockCount';
const SHOWN = 50;
const MOST_REMARK = 500;

/** A count under way outlives a reload: nobody scans a shelf twice. */
function useCount(): [Count, (next: Count) => void] {
  const [count, setCount] = useState<Count>(() => parsed(tab.get(KEY), { deptId: session.get().deptId, productId: null, scans: [] }));
  const put = (next: Count) => {
    setCount(next);
    tab.set(KEY, JSON.stringify(next));
  };
  return [count, put];
}

function Choose({
  label,
  value,
  useChoices,
  onChange,
  disabled,
  optional,
}: {
  label: string;
  value: number | undefined;
  useChoices: typeof useDepts;
  onChange: (next: number | undefined) => void;
  disabled: boolean;
  optional?: boolean;
}) {
  const [text, setText] = useState('');
  const { choices, busy } = useChoices(text, value === undefined ? [] : [value]);
  return (
    <Field label={label} {...(optional ? { optional: true } : {})}>
      <Select
        value={value}
        onChange={onChange}
        onSearch={setText}
        busy={busy ?? false}
        disabled={disabled}
        options={choices.map((one) => ({ value: Number(one.value), label: wordsOf(one.label) }))}
        clear={optional ?? false}
      />
    </Field>
  );
}

/** What one scan came to, in words. */
function Outcome({ scan, again }: { scan: Scan; again: boolean }) {
  const t = useT();
  if (again) return t('stockCount.again');
  if (scan.result === 'found') return t('countLine.result.found');
  if (scan.status === '') return t('stockCount.unknown');
  return (
    <>
      {t('stockCount.elsewhere', { dept: scan.deptName })} <StateTag machine={deviceMachine} code={scan.status} />
    </>
  );
}

/** A scanner types each SN and Enter into one field; what it reads is told at once, and kept together as one count. */
function Counting() {
  const t = useT();
  const view = useView();
  const format = useFormat();
  const [count, setCount] = useCount();
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string>();
  /** How many scans aren't answered yet. */
  const [checking, setChecking] = useState(0);
  const latest = useRef(count);
  latest.current = count;
  const { deptId, productId, scans } = count;
  const shelf = useCall(countCalls.shelf, { deptId: deptId ?? 0, productId }, { enabled: deptId !== undefined });
  const saving = useAct(countCalls.save, {
    done: ({ id }) => {
      tab.set(KEY, undefined);
      goOn(view, `/inventory/device/page/count/${id}`);
    },
  });
  const distinct = new Map(scans.map((scan) => [scan.sn, scan]));
  const found = [...distinct.values()].filter(({ result }) => result === 'found').length;

  const scan = async () => {
    const sn = typed.trim();
    setTyped('');
    if (sn === '' || deptId === undefined) return;
    setChecking((now) => now + 1);
    try {
      const checked = await api(countCalls.check, { deptId, productId, sn }, { hidden: true });
      setFailure(undefined);
      const next = { ...latest.current, scans: [{ ...checked, at: (latest.current.scans[0]?.at ?? -1) + 1 }, ...latest.current.scans] };
      latest.current = next;
      setCount(next);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setChecking((now) => now - 1);
    }
  };
  const [isFile, setIsFile] = useState(false);
  const takeFile = (added: readonly Scanned[]) => {
    const { scans: before } = latest.current;
    const first = (before[0]?.at ?? -1) + 1;
    const next = { ...latest.current, scans: [...added.map((one, at) => ({ ...one, at: first + at })).toReversed(), ...before] };
    latest.current = next;
    setCount(next);
    setIsFile(false);
  };
  const hasBegun = scans.length > 0;
  // The latest stand first: what is kept of each is its first scan.
  const firsts = new Map(scans.map(({ sn, at }) => [sn, at] as const));
  return (
    <div className="m-stack">
      <div className="m-panel m-panel-body m-stack">
        <div className="m-count-shelf">
          <Choose
            label={t('device.dept')}
            value={deptId}
            useChoices={useDepts}
            disabled={hasBegun}
            onChange={(next) => setCount({ ...count, deptId: next })}
          />
          <Choose
            label={t('device.product')}
            value={productId ?? undefined}
            useChoices={useProducts as typeof useDepts}
            disabled={hasBegun}
            optional
            onChange={(next) => setCount({ ...count, productId: next ?? null })}
          />
        </div>
        <Field label={t('stockCount.scan')} help={t('stockCount.scan.help')}>
          <TextInput
            value={typed}
            onChange={setTyped}
            onEnter={() => void scan()}
            disabled={deptId === undefined}
            autoFocus
            mono
            max={64}
          />
        </Field>
        {failure ? <Note tone="danger">{failure}</Note> : null}
        <div className="m-row">
          <Button icon="upload" disabled={deptId === undefined} onClick={() => setIsFile(true)}>
            {t('stockCount.file')}
          </Button>
        </div>
        {isFile && deptId !== undefined ? (
          <CountFile
            deptId={deptId}
            productId={productId}
            room={MOST_SNS - scans.length}
            onTake={takeFile}
            onClose={() => setIsFile(false)}
          />
        ) : null}
      </div>
      <div className="m-stats">
        <Stat label={t('stockCount.expected')} value={shelf.data ? format.number(shelf.data.expected) : '–'} />
        <Stat label={t('stockCount.found')} value={format.number(found)} tone="good" />
        <Stat label={t('stockCount.unexpected')} value={format.number(distinct.size - found)} tone="wait" />
        <Stat label={t('stockCount.doubled')} value={format.number(scans.length - distinct.size)} />
      </div>
      {hasBegun ? (
        <>
          <Table
            label={t('stockCount.scans')}
            rows={scans.slice(0, SHOWN)}
            idOf={(one) => one.at}
            nameOf={(one) => one.sn}
            columns={[
              { key: 'sn', title: t('device.sn'), width: 200, cell: (one) => <span className="m-mono">{one.sn}</span> },
              { key: 'product', title: t('device.product'), width: 200, cell: (one) => one.productName || '–' },
              {
                key: 'result',
                title: t('countLine.result'),
                width: 380,
                cell: (one) => <Outcome scan={one} again={firsts.get(one.sn) !== one.at} />,
              },
              {
                key: 'drop',
                title: '',
                width: 60,
                cell: (one) => (
                  <IconButton
                    small
                    icon="delete"
                    label={t('stockCount.drop', { sn: one.sn })}
                    onClick={() => setCount({ ...count, scans: scans.filter(({ at }) => at !== one.at) })}
                  />
                ),
              },
            ]}
          />
          <Field label={t('stock.remark')} optional>
            <TextInput value={count.remark ?? ''} onChange={(remark) => setCount({ ...count, remark })} max={MOST_REMARK} />
          </Field>
          <div className="m-row m-row-wrap">
            <Button
              look="primary"
              // What was scanned belongs to the count, answered or not.
              busy={saving.busy || checking > 0}
              onClick={() =>
                deptId !== undefined &&
                saving.run({ deptId, productId, sns: scans.map(({ sn }) => sn).toReversed(), remark: count.remark ?? '' })
              }
            >
              {t('stockCount.finish')}
            </Button>
            <Button disabled={checking > 0} onClick={() => setCount({ ...count, scans: [], remark: '' })}>
              {t('stockCount.restart')}
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}

export const countPage = page({ title: 'stockCount.new', Body: Counting });
