import { type Dispatch, dispatchCalls, Transfer, transferCalls } from '@mooring/contract/inventory/dispatch';
import { dispatchMachine, transferMachine } from '@mooring/contract/inventory/state-machines';
import type { RowOf } from '@mooring/contract/kit/entity';
import { useMemo, useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { bulkAct, rowAction } from '../../kit/list/types.ts';
import { listOf } from '../../kit/resource/resource-list.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { tell } from './outcome.ts';

type Row = RowOf<typeof Dispatch>;
type Record = RowOf<typeof Transfer>;
type Doing = 'transfer' | 'takeBack';
const acts = { transfer: dispatchCalls.transfer, takeBack: dispatchCalls.takeBack } as const;

/** Sends or takes back: all that it may happen to, or some. */
function ActOn({ doing, of, ids, onClose }: { doing: Doing; of: Row; ids?: number[]; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title={`dispatch.${doing}`}
      of={of.number}
      submit={`dispatch.${doing}`}
      call={acts[doing]}
      about={<p>{t(`dispatch.${doing}.about`)}</p>}
      initial={{ id: of.id, ...(ids ? { ids } : {}) }}
      fields={[]}
      onClose={onClose}
      onDone={(outcome) => tell(`dispatch.${doing}.done`, outcome)}
    />
  );
}

function Acts({ row }: { row: Row }) {
  const t = useT();
  const [doing, setDoing] = useState<Doing>();
  const open = row.total - row.sent - row.failed - row.back;
  return (
    <div className="m-row m-row-wrap">
      {allows(row, 'transfer') && open > 0 ? (
        <Button icon="dispatch" look="primary" onClick={() => setDoing('transfer')}>
          {t('dispatch.transfer.all', { n: open })}
        </Button>
      ) : null}
      {allows(row, 'takeBack') ? (
        <Button icon="back" onClick={() => setDoing('takeBack')}>
          {t('dispatch.takeBack.all')}
        </Button>
      ) : null}
      {doing ? <ActOn doing={doing} of={row} onClose={() => setDoing(undefined)} /> : null}
    </div>
  );
}

const isSendable = ({ state, sentAt }: Record) => (state === '1' && sentAt === null) || ['5', '9', '15'].includes(state);
const isTakeable = ({ state, sentAt }: Record) => (state === '1' && sentAt !== null) || ['3', '11'].includes(state);

const transfers = listOf(Transfer, transferCalls, {
  code: 'inventory.transfers',
  texts: { add: 'dispatch.add', edit: 'dispatch.add', delete: 'dispatch.delete' },
  columns: [
    { key: 'sn', link: ({ deviceId }: Record) => `/device/deviceDetail/${deviceId}`, width: 180 },
    { key: 'productName', width: 180 },
    { key: 'state', width: 190 },
    { key: 'sentAt', width: 170 },
    { key: 'reason', width: 220 },
    { key: 'note', width: 200 },
    { key: 'changedAt', width: 170 },
  ],
  filters: [{ field: 'state', label: 'transfer.state', machine: transferMachine }],
  bulk: [
    bulkAct(transferCalls.send, {
      label: 'dispatch.send.chosen',
      icon: 'dispatch',
      text: 'dispatch.send.about',
      successText: 'dispatch.sent.chosen',
    }),
    bulkAct(transferCalls.takeBack, {
      label: 'dispatch.takeBack.chosen',
      icon: 'back',
      text: 'dispatch.takeBack.about',
      successText: 'dispatch.recalled.chosen',
    }),
  ],
  nameOf: (row) => row.sn,
  open: ({ deviceId }: Record) => `/device/deviceDetail/${deviceId}`,
});

function Transfers({ row }: { row: Row }) {
  const [some, setSome] = useState<{ doing: Doing; id: number }>();
  const isOpen = ['1', '3', '5'].includes(row.state);
  const spec = useMemo(() => {
    const act = (doing: Doing, fits: (record: Record) => boolean, icon: 'dispatch' | 'back') => ({
      key: doing,
      label: `dispatch.${doing}` as const,
      icon,
      when: (record: Record) => isOpen && fits(record),
      call: acts[doing],
      run: ({ id }: Record) => setSome({ doing, id }),
    });
    return { ...transfers, rowActions: [act('transfer', isSendable, 'dispatch'), act('takeBack', isTakeable, 'back')] };
  }, [isOpen]);
  return (
    <>
      <ListView spec={spec} fixed={{ dispatchId: row.id }} />
      {some && mayCall(acts[some.doing]) ? <ActOn doing={some.doing} of={row} ids={[some.id]} onClose={() => setSome(undefined)} /> : null}
    </>
  );
}

/** A dispatch and what became of each of its terminals. */
export const dispatchPage = detailPage({
  call: dispatchCalls.detail,
  nameOf: (row) => row.number,
  state: { machine: dispatchMachine, of: (row) => row.state },
  facts: [
    { key: 'toName', title: 'dispatch.toId' },
    { key: 'deptName', title: 'dispatch.deptId' },
    { key: 'total', title: 'dispatch.total', kind: 'number' },
    { key: 'sent', title: 'dispatch.sent', kind: 'number' },
    { key: 'received', title: 'dispatch.received', kind: 'number' },
    { key: 'failed', title: 'dispatch.failed', kind: 'number', when: (row) => row.failed > 0 },
    { key: 'back', title: 'dispatch.back', kind: 'number', when: (row) => row.back > 0 },
    { key: 'createdBy', title: 'dispatch.createdBy' },
    { key: 'createdAt', title: 'dispatch.createdAt', kind: 'moment' },
    { key: 'remark', title: 'dispatch.remark', when: (row) => row.remark !== '' },
  ],
  actions: [
    rowAction(dispatchCalls.withdraw, {
      label: 'event.dispatch.withdraw',
      allowedAction: 'withdraw',
      danger: true,
      successText: 'dispatch.withdraw.done',
      confirm: { text: 'dispatch.withdraw.about', keep: 'dispatch.withdraw.keep' },
    }),
    rowAction(dispatchCalls.delete, {
      label: 'dispatch.delete',
      allowedAction: 'delete',
      danger: true,
      successText: 'done.deleted',
      confirm: { text: 'dispatch.delete.about' },
    }),
  ],
  slots: { acts: Acts },
  tabs: [{ key: 'terminals', title: 'transfer.title', count: (row) => String(row.total), Body: Transfers }],
});
