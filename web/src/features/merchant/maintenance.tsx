import type { RowOf } from '@mooring/contract/kit/entity';
import { Maintenance, maintenanceCalls } from '@mooring/contract/merchant/maintenance';
import { maintenanceMachine } from '@mooring/contract/merchant/state-machines';
import { costOf } from '@mooring/contract/shared/money';
import { useMemo, useState } from 'react';
import { bind } from '../../kit/bind-page.ts';
import { useMerchants, useShops, useTerminals } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { ListPart } from '../../kit/list/list-part.tsx';
import { PartsControl } from '../../kit/parts/parts-control.tsx';
import { PhotosControl } from '../../kit/parts/photos-control.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { StateTag } from '../../kit/state-tag.tsx';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { useFormat, useT } from '../../ui/words.ts';

type Row = RowOf<typeof Maintenance>;
const form = formDialogs(Maintenance, maintenanceCalls, {
  fields: [
    { name: 'deviceId', kind: 'one', useChoices: useTerminals, wide: true },
    'kind',
    'engineer',
    { name: 'at', kind: 'moment' },
    'currency',
    { name: 'found', kind: 'area' },
    { name: 'workDone', kind: 'area' },
    { name: 'parts', Control: PartsControl, wide: true },
    { name: 'photos', Control: PhotosControl, wide: true },
  ],
  added: 'maintenance.added',
  wide: true,
});
/** Now, to the minute: what is written down at once. */
const now = () => new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();

const Cost = ({ row: { parts, currency } }: { row: Pick<Row, 'parts' | 'currency'> }) => {
  const format = useFormat();
  const cost = costOf(parts);
  return cost === 0 ? '–' : format.money(cost / 100, currency);
};

/** Everything about one record, with its parts and pictures. */
function Panel({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const facts = [
    [t('maintenance.state'), <StateTag key="state" machine={maintenanceMachine} code={row.state} />],
    [t('maintenance.kind'), t(`maintenance.kind.${row.kind}`)],
    [t('maintenance.at'), format.moment(String(row.at))],
    [t('maintenance.engineer'), row.engineer],
    [t('maintenance.merchantId'), [row.merchantName, row.shopName].filter(Boolean).join(' · ')],
    [t('maintenance.found'), row.found],
    [t('maintenance.workDone'), row.workDone],
    [t('maintenance.createdBy'), row.createdBy],
  ] as const;
  return (
    <Drawer open title={row.sn} onClose={onClose} width={560}>
      <div className="m-stack">
        <FactList facts={facts} />
        <section className="m-stack-tight">
          <h3>{t('maintenance.parts')}</h3>
          {row.parts.length === 0 ? <p className="m-muted">{t('maintenance.parts.none')}</p> : null}
          <ul className="m-plain-list">
            {row.parts.map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
              <li key={at}>
                {format.number(part.quantity)} × {part.name}
                {part.price === '' ? '' : ` · ${format.money(part.price, row.currency)}`}
              </li>
            ))}
          </ul>
          {costOf(row.parts) === 0 ? null : (
            <p>
              {t('maintenance.cost')}: <Cost row={row} />
            </p>
          )}
        </section>
        {row.photos.length === 0 ? null : (
          <section className="m-stack-tight">
            <h3>{t('maintenance.photos')}</h3>
            <ul className="m-photos">
              {row.photos.map((id) => (
                <li key={id}>
                  <StoredPicture id={id} className="m-photo" />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Drawer>
  );
}

type Given = { readonly deviceId?: number };
function AddRecord({ given, onClose }: { given: Given; onClose: () => void }) {
  const [start] = useState(() => ({ at: now(), ...given }));
  return <form.Add given={start} onClose={onClose} />;
}
const add = (given: Given) => ({
  key: 'add',
  label: 'maintenance.add' as const,
  icon: 'add' as const,
  primary: true,
  call: maintenanceCalls.add,
  Dialog: bind<{ given: Given }, { onClose: () => void }>(AddRecord, { given }),
});

export const maintenanceList = listPage(Maintenance, maintenanceCalls, {
  code: 'merchant.maintenance',
  columns: [
    { key: 'sn', width: 170 },
    { key: 'kind', width: 130 },
    { key: 'state', width: 110 },
    'at',
    { key: 'engineer', width: 130 },
    { key: 'found', width: 190 },
    { key: 'merchantName', width: 160 },
    { key: 'shopName', width: 140 },
    { key: 'parts', kind: 'number', title: 'maintenance.cost', width: 130, cell: (row) => <Cost row={row} /> },
    off('workDone'),
    off('deptName'),
    off('createdBy'),
    off('createdAt'),
  ],
  filters: [
    { field: 'state', label: 'maintenance.state', machine: maintenanceMachine },
    { field: 'kind', label: 'maintenance.kind', names: 'maintenance.kind.' },
    { field: 'deviceId', label: 'maintenance.deviceId', useChoices: useTerminals },
    { field: 'merchantId', label: 'maintenance.merchantId', useChoices: useMerchants },
    { field: 'shopId', label: 'maintenance.shopId', useChoices: useShops },
    { field: 'at', label: 'maintenance.at' },
  ],
  actions: [add({})],
  edit: form.edit,
  moves: { finish: { successText: 'maintenance.finished', icon: 'done', confirm: { text: 'maintenance.finish.about' } } },
  deleting: { text: 'maintenance.delete.about' },
  nameOf: (row) => row.sn,
  empty: { title: 'maintenance.empty', text: 'maintenance.emptyText', icon: 'maintenance' },
  slots: { above: form.Edit, aside: Panel },
});

/** The records of one merchant, shop or terminal, inside of its page. */
export function MaintenanceOf({
  fixed,
}: {
  fixed: { readonly merchantId?: number; readonly shopId?: number; readonly deviceId?: number };
}) {
  const { deviceId } = fixed;
  const spec = useMemo(() => {
    const { filters = [], ...list } = maintenanceList.spec;
    const given = deviceId === undefined ? {} : { deviceId };
    return { ...list, filters: filters.filter(({ field }) => deviceId === undefined || field !== 'deviceId'), actions: [add(given)] };
  }, [deviceId]);
  return (
    <>
      <ListPart spec={spec} fixed={fixed} queryPrefix="w." />
      <form.Edit />
    </>
  );
}
