import { hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { useState } from 'react';
import { Link } from '../../kit/link.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { NewTest } from './new-test.tsx';
import { usePartNames } from './part-names.tsx';
import { testList } from './test-list.tsx';

interface Of {
  readonly row: { readonly id: number; readonly deletedAt: string | null };
}

const { search: _search, ...ofMany } = testList;
const ofOne = {
  ...ofMany,
  code: 'hardwareTest.ofDevice',
  filters: (testList.filters ?? []).filter(({ field }) => ['state', 'failedPart', 'createdAt'].includes(field)),
  columns: testList.columns.filter(({ key }) => !['productName', 'deptName'].includes(key)),
  actions: [],
};

/** The tests of one terminal, the newest first. */
export function TestsOfDevice({ row }: Of) {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <div className="m-stack">
      {mayCall(hardwareTestCalls.add) && row.deletedAt === null ? (
        <div>
          <Button icon="hardwareTest" onClick={() => setOpen(true)}>
            {t('hardwareTest.add')}
          </Button>
        </div>
      ) : null}
      <ListView spec={ofOne} fixed={{ deviceId: row.id }} queryPrefix="h." />
      {open ? <NewTest of={row} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

/** Which parts failed when the terminal tested itself last. */
export function FailingParts({ row }: Of) {
  const t = useT();
  const format = useFormat();
  const names = usePartNames();
  const { data } = useCall(hardwareTestCalls.ofDevice, { deviceId: row.id }, { enabled: mayCall(hardwareTestCalls.ofDevice) });
  if (!data?.id || data.failedParts.length === 0) return null;
  return (
    <Note tone="warn" action={<Link to={`/device/hardwareDetail/${data.id}`}>{t('hardwareTest.open')}</Link>}>
      {t('hardwareTest.failing', { parts: names(data.failedParts) })}{' '}
      <span className="m-muted">{data.at ? format.moment(data.at) : null}</span>
    </Note>
  );
}
