import { MOST_SNS } from '@mooring/contract/device/group-calls';
import { ATTACHMENT } from '@mooring/contract/file/kinds';
import { countCalls } from '@mooring/contract/inventory/count';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useRef, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useT } from '../../ui/words.ts';

type Checked = OutputOf<typeof countCalls.checkFile>;
export type Scanned = Checked['scans'][number];
const reads = ['xlsx', 'csv', 'txt'];
const why = {
  wrong: 'stock.sns.wrong',
  digits: 'fault.SHEET_DIGITS',
  date: 'fault.SHEET_DATE',
  formula: 'fault.SHEET_FORMULA',
  text: 'fault.SHEET_TEXT',
  long: 'fault.SHEET_LONG',
} as const;

function Wrong({ of }: { of: Checked }) {
  const t = useT();
  if (of.wrongRows === 0) return null;
  return (
    <>
      <Note tone="warn">{t('stockCount.file.wrong', { n: of.wrongRows })}</Note>
      <Table
        label={t('stockCount.file.wrong', { n: of.wrongRows })}
        rows={of.wrong.map((one, at) => ({ ...one, at }))}
        idOf={(one) => one.at}
        nameOf={(one) => one.value}
        columns={[
          { key: 'row', title: t('stockCount.file.row'), width: 80, end: true, cell: (one) => one.row },
          {
            key: 'value',
            title: t('stockCount.file.value'),
            width: 190,
            cell: (one) => <span className="m-mono">{one.value || '–'}</span>,
          },
          { key: 'why', title: t('stockCount.file.why'), width: 330, cell: (one) => t(why[one.why]) },
        ]}
      />
    </>
  );
}

/** Serial numbers of a file become scans: looked at first, with each row that can't be one. */
export function CountFile({
  deptId,
  productId,
  room,
  onTake,
  onClose,
}: {
  deptId: number;
  productId: number | null;
  /** How many scans the count still takes. */
  room: number;
  onTake: (scans: readonly Scanned[]) => void;
  onClose: () => void;
}) {
  const t = useT();
  const format = useFormat();
  const [file, setFile] = useState<number>();
  const [checked, setChecked] = useState<Checked>();
  const [failure, setFailure] = useState<string>();
  const chosen = useRef<number>(undefined);
  const take = (id: number | undefined) => {
    chosen.current = id;
    setFile(id);
    setChecked(undefined);
    setFailure(undefined);
    if (id === undefined) return;
    // One file may be answered after another was chosen.
    const ifStill = (show: () => void) => chosen.current === id && show();
    api(countCalls.checkFile, { deptId, productId, file: id }, { hidden: true }).then(
      (found) => ifStill(() => setChecked(found)),
      (error: unknown) => ifStill(() => setFailure(messageOf(error))),
    );
  };
  const scans = checked?.scans ?? [];
  const found = scans.filter(({ result }) => result === 'found').length;
  const most = format.number(MOST_SNS);
  return (
    <Dialog
      open
      title={t('stockCount.file')}
      onClose={onClose}
      width={640}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" disabled={scans.length === 0 || scans.length > room} onClick={() => onTake(scans)}>
            {t('stockCount.file.take', { n: scans.length })}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <p className="m-muted">{t('stockCount.file.about', { most })}</p>
        <Field label={t('stockCount.file.name')}>
          <FileField
            fileType={ATTACHMENT}
            only={reads}
            value={file}
            onChange={take}
            onBlur={() => undefined}
            set={() => undefined}
            fill={() => undefined}
            values={{}}
            disabled={false}
          />
        </Field>
        {failure ? <Note tone="danger">{failure}</Note> : null}
        {file !== undefined && !checked && !failure ? <Bone width="60%" /> : null}
        {checked ? (
          <>
            <p>{t('stockCount.file.read', { n: scans.length, found, unexpected: scans.length - found })}</p>
            {scans.length > room ? <Note tone="danger">{t('stockCount.file.many', { most })}</Note> : null}
            <Wrong of={checked} />
          </>
        ) : null}
      </div>
    </Dialog>
  );
}
