import { Arrival, arrivalCalls, type Receipt, receiptCalls } from '@mooring/contract/inventory/receipt';
import { transferMachine } from '@mooring/contract/inventory/state-machines';
import type { RowOf } from '@mooring/contract/kit/entity';
import { useMemo, useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { useCall } from '../../kit/queries.ts';
import { listOf } from '../../kit/resource/resource-list.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, PageSkeleton } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { tell } from './outcome.ts';
import { answers, signing } from './receiving.ts';
import { Signature } from './signature.tsx';
import { Lines } from './sns-dialog.tsx';

type Row = RowOf<typeof Receipt>;
type Line = RowOf<typeof Arrival>;
type Doing = 'accept' | 'refuse' | 'giveBack';
const acts = { accept: receiptCalls.accept, refuse: receiptCalls.refuse, giveBack: receiptCalls.giveBack } as const;
interface About {
  readonly of: Row;
  /** One terminal of it alone. */
  readonly only?: { readonly id: number; readonly sn: string } | undefined;
  readonly onClose: () => void;
}

const someOf = ({ of, only }: About) => ({ id: of.id, ...(only ? { ids: [only.id] } : {}) });
const nameOf = ({ of, only }: About) => only?.sn ?? of.number;
const helps = { accept: 'receipt.sns.help', refuse: 'receipt.sns.refuse', giveBack: 'receipt.sns.giveBack' } as const;
const scannedOf = ({ only }: About, doing: Doing) =>
  only ? [] : [{ name: 'sns', label: 'receipt.sns', help: helps[doing], Control: Lines, wide: true } as const];

const Accept = (about: About) => (
  <FormDialog
    title="receipt.accept"
    of={nameOf(about)}
    submit="receipt.accept"
    call={receiptCalls.accept}
    initial={someOf(about)}
    fields={[...signing, ...scannedOf(about, 'accept')]}
    onClose={about.onClose}
    onDone={(outcome) => tell('receipt.accept.done', outcome)}
  />
);

const Answer = ({ doing, ...about }: About & { doing: 'refuse' | 'giveBack' }) => (
  <FormDialog
    title={`receipt.${doing}`}
    of={nameOf(about)}
    submit={`receipt.${doing}`}
    call={acts[doing]}
    initial={someOf(about) as never}
    fields={[{ name: 'reason', label: 'receipt.refuse.reason', kind: 'area' }, ...scannedOf(about, doing)]}
    onClose={about.onClose}
    onDone={(outcome) => tell(`receipt.${doing}.done`, outcome)}
  />
);
const Act = ({ doing, ...about }: About & { doing: Doing }) =>
  doing === 'accept' ? <Accept {...about} /> : <Answer doing={doing} {...about} />;

function Acts({ row }: { row: Row }) {
  const t = useT();
  const [doing, setDoing] = useState<Doing>();
  return (
    <div className="m-row m-row-wrap">
      {allows(row, 'accept') ? (
        <Button icon="done" look="primary" onClick={() => setDoing('accept')}>
          {t('receipt.accept.many', { n: row.waiting })}
        </Button>
      ) : null}
      {allows(row, 'refuse') ? (
        <Button icon="cancel" onClick={() => setDoing('refuse')}>
          {t('receipt.refuse.many', { n: row.waiting })}
        </Button>
      ) : null}
      {allows(row, 'giveBack') ? (
        <Button icon="back" onClick={() => setDoing('giveBack')}>
          {t('receipt.giveBack.many', { n: row.accepted })}
        </Button>
      ) : null}
      {doing ? <Act doing={doing} of={row} onClose={() => setDoing(undefined)} /> : null}
    </div>
  );
}

const lines = listOf(Arrival, arrivalCalls, {
  code: 'inventory.arrivals',
  texts: { add: 'receipt.accept', edit: 'dispatch.add', delete: 'dispatch.delete' },
  columns: [
    { key: 'sn', width: 190 },
    { key: 'productName', width: 190 },
    { key: 'state', width: 190 },
    { key: 'reason', width: 230 },
    { key: 'note', width: 220 },
    { key: 'changedAt', width: 170 },
  ],
  filters: [{ field: 'state', label: 'transfer.state', machine: transferMachine }],
  bulk: answers(
    { accept: arrivalCalls.accept, refuse: arrivalCalls.refuse, giveBack: arrivalCalls.giveBack },
    { accept: 'receipt.accept.many', refuse: 'receipt.refuse.many', giveBack: 'receipt.giveBack.many' },
  ),
  nameOf: (row) => row.sn,
});

function Terminals({ row }: { row: Row }) {
  const [some, setSome] = useState<{ doing: Doing; only: { id: number; sn: string } }>();
  const spec = useMemo(() => {
    const act = (doing: Doing, states: readonly string[], icon: 'done' | 'cancel' | 'back') => ({
      key: doing,
      label: `receipt.${doing}` as const,
      icon,
      when: ({ state }: Line) => states.includes(state),
      call: acts[doing],
      run: ({ id, sn }: Line) => setSome({ doing, only: { id, sn } }),
    });
    return { ...lines, rowActions: [act('accept', ['1'], 'done'), act('refuse', ['1'], 'cancel'), act('giveBack', ['3', '17'], 'back')] };
  }, []);
  return (
    <>
      <ListView spec={spec} fixed={{ receiptId: row.id }} />
      {some ? <Act doing={some.doing} of={row} only={some.only} onClose={() => setSome(undefined)} /> : null}
    </>
  );
}

/** Who took terminals of it, when, and how they signed. */
function Signatures({ row }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(receiptCalls.signatures, { id: row.id }, { keep: true });
  if (error && !data) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <PageSkeleton />;
  if (data.length === 0) return <Empty title={t('receipt.signatures.none')} icon="edit" />;
  return (
    <ul className="m-plain-list m-signatures">
      {data.map((one) => (
        <li key={one.id} className="m-panel m-panel-body m-stack-tight">
          <strong>{one.signedBy}</strong>
          <span className="m-muted">
            {[t('receipt.signatures.terminals', { n: one.terminals }), one.document, format.moment(String(one.at))]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {one.signature.length > 0 ? <Signature strokes={one.signature} label={`${t('receipt.signature')}: ${one.signedBy}`} /> : null}
        </li>
      ))}
    </ul>
  );
}

/** What one dispatch brings, answered terminal by terminal or all at once. */
export const receiptPage = detailPage({
  call: receiptCalls.detail,
  nameOf: (row) => row.number,
  facts: [
    { key: 'fromName', title: 'receipt.fromName' },
    { key: 'deptName', title: 'receipt.deptId' },
    { key: 'waiting', title: 'receipt.waiting', kind: 'number' },
    { key: 'accepted', title: 'receipt.accepted', kind: 'number' },
    { key: 'refused', title: 'receipt.refused', kind: 'number', when: (row) => row.refused > 0 },
    { key: 'gone', title: 'receipt.gone', kind: 'number', when: (row) => row.gone > 0 },
    { key: 'document', title: 'receipt.document', kind: 'code', when: (row) => row.document !== '' },
    { key: 'signedBy', title: 'receipt.signedBy', when: (row) => row.signedBy !== '' },
    { key: 'sentBy', title: 'receipt.sentBy' },
    { key: 'createdAt', title: 'receipt.createdAt', kind: 'moment' },
    { key: 'remark', title: 'dispatch.remark', when: (row) => row.remark !== '' },
  ],
  slots: { acts: Acts },
  tabs: [
    { key: 'terminals', title: 'arrival.title', Body: Terminals },
    { key: 'signatures', title: 'receipt.signatures', Body: Signatures },
  ],
});
