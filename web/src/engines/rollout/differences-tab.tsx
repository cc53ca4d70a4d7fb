import type { Difference, DifferenceCalls } from '@mooring/contract/engines/rollout/difference-calls';
import { differenceMachine } from '@mooring/contract/engines/rollout/state-machines';
import { createContext, useContext, useMemo } from 'react';
import { allows } from '../../kit/allows.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import { type ListSpec, type PageAction, rowAction } from '../../kit/list/types.ts';
import { change, useCall } from '../../kit/queries.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t, useFormat, useT } from '../../ui/words.ts';

const BUSY_SECONDS = 2;
const { generating, made } = differenceMachine.states;
const isBusy = ({ state }: Difference) => state === generating.code || state === made.code;

/** Where it stands, how far it is, and what went wrong. */
function State({ row }: { row: Difference }) {
  const t = useT();
  const { several } = useTarget();
  return (
    <span className="m-stack m-stack-tight">
      <StateTag machine={differenceMachine} code={row.state} />
      {row.state === generating.code && row.percent > 0 ? (
        <span className="m-muted">{t('difference.progress', { percent: row.percent })}</span>
      ) : null}
      {isBusy(row) && row.enableAtOnce ? <span className="m-muted">{t('difference.soon')}</span> : null}
      {allows(row, 'enable') && !several ? <span className="m-muted">{t('difference.idle')}</span> : null}
      {row.reason ? <span className="m-muted">{t(`difference.reason.${row.reason}`)}</span> : null}
    </span>
  );
}

/** Of a line of 1 Mbit/s, as mobile networks give in a shop. */
const BYTES_A_SECOND = 125_000;

function Saved({ row }: { row: Difference }) {
  const t = useT();
  const format = useFormat();
  const { several } = useTarget();
  if (row.saved === null || row.savedPercent === null) return <span className="m-faint">–</span>;
  if (!row.worth) return <span className="m-muted">{t(several ? 'difference.tooLarge' : 'difference.notWorth')}</span>;
  const seconds = Math.round(row.saved / BYTES_A_SECOND);
  return (
    <span className="m-stack m-stack-tight">
      {t('difference.savedOf', { bytes: format.size(row.saved), percent: format.number(row.savedPercent, 1) })}
      {seconds < 1 ? null : <span className="m-muted">{t('difference.savedTime', { time: format.duration(seconds) })}</span>}
    </span>
  );
}

interface Target {
  readonly calls: DifferenceCalls;
  readonly packageId: number;
  /** From one base there are several, of which each terminal gets what it can apply. */
  readonly several: boolean;
}
const Targets = createContext<Target | undefined>(undefined);

/** The version that they lead to. */
function useTarget(): Target {
  const target = useContext(Targets);
  if (!target) throw new Error('a part of differences outside of their version');
  return target;
}

/** Found by what a choice says, too. */
function useBases(text: string) {
  const { calls, packageId } = useTarget();
  const found = useCall(calls.bases, { packageId });
  const free = (found.data ?? []).filter((base) => !base.made && base.version.includes(text.split(' · ')[0]?.trim() ?? ''));
  return {
    choices: free.map(({ id, version, devices }) => ({
      value: id,
      label: { key: 'difference.baseChoice', params: { version, count: devices } } as const,
    })),
    busy: found.fetching,
  };
}

function AddDifference({ onClose }: { onClose: () => void }) {
  const { calls, packageId } = useTarget();
  return (
    <FormDialog
      title="difference.add"
      submit="difference.add"
      call={calls.add}
      onClose={onClose}
      initial={{ packageId, enableAtOnce: true }}
      onDone={({ started }) => toast('done', t('difference.added', { started }))}
      fields={[
        { name: 'baseIds', label: 'difference.bases', help: 'difference.basesHelp', kind: 'multi', useChoices: useBases, wide: true },
        { name: 'enableAtOnce', label: 'difference.enableAtOnce', help: 'difference.enableAtOnceHelp', kind: 'switch' },
      ]}
    />
  );
}

const actsOf = (calls: DifferenceCalls, packageId: number): readonly PageAction[] => [
  {
    key: 'addAll',
    label: 'difference.addAll',
    icon: 'play',
    call: calls.addAll,
    run: () =>
      void change(calls.addAll, { packageId, enableAtOnce: true }).then(
        ({ started }) => toast('done', t('difference.added', { started })),
        // The client has shown why.
        () => undefined,
      ),
  },
  {
    key: 'add',
    label: 'difference.add',
    icon: 'add',
    primary: true,
    call: calls.add,
    Dialog: AddDifference,
  },
];

const specOf = (calls: DifferenceCalls, several: boolean): ListSpec<DifferenceCalls['page']> => ({
  code: `${calls.page.path}.list`,
  title: 'difference.title',
  call: calls.page,
  nameOf: ({ base }) => base,
  columns: [
    { key: 'base', title: 'difference.base', pinned: 'left', width: 130 },
    ...(several ? [{ key: 'form', title: 'difference.form', kind: 'name', names: 'difference.form.', width: 130 } as const] : []),
    { key: 'state', title: 'difference.state', cell: (one) => <State row={one} />, width: several ? 250 : 190 },
    { key: 'size', title: 'difference.size', kind: 'size', sort: true, width: 110 },
    { key: '_saved', title: 'difference.saved', cell: (one) => <Saved row={one} />, width: 190 },
    { key: 'devices', title: 'difference.devices', kind: 'number', width: 190 },
    { key: 'verification', title: 'difference.verification', kind: 'name', names: 'difference.verification.', width: 130 },
    { key: 'seconds', title: 'difference.seconds', kind: 'duration', off: true },
    { key: 'createdBy', title: 'difference.createdBy', width: 140, off: several },
    { key: 'createdAt', title: 'difference.createdAt', kind: 'moment', sort: true, width: 170 },
    { key: 'madeAt', title: 'difference.madeAt', kind: 'moment', off: true },
  ],
  rowActions: [
    rowAction(calls.enable, {
      label: 'event.difference.enable',
      allowedAction: 'enable',
      icon: 'check',
      successText: 'difference.enabled',
    }),
    rowAction(calls.disable, { label: 'event.difference.disable', allowedAction: 'disable', successText: 'difference.disabled' }),
    rowAction(calls.recheck, {
      label: 'event.difference.recheck',
      allowedAction: 'recheck',
      successText: 'difference.rechecked',
      confirm: { text: 'difference.recheckText' },
    }),
    rowAction(calls.regenerate, {
      label: 'event.difference.regenerate',
      allowedAction: 'regenerate',
      icon: 'reload',
      successText: 'difference.again',
    }),
    rowAction(calls.giveUp, {
      label: 'event.difference.giveUp',
      allowedAction: 'giveUp',
      successText: 'difference.givenUp',
      confirm: { text: 'difference.giveUpText' },
    }),
    rowAction(calls.delete, {
      label: 'difference.delete',
      allowedAction: 'delete',
      danger: true,
      successText: 'difference.deleted',
      confirm: { text: 'difference.deleteText' },
    }),
  ],
  every: (rows) => (rows.some(isBusy) ? BUSY_SECONDS : undefined),
  empty: { title: 'difference.empty', text: 'difference.emptyText', icon: 'upgrade' },
});

/** What is ready and isn't used is said, with what to do, above whatever page of the list is shown. */
function IdleNote() {
  const t = useT();
  const { calls, packageId } = useTarget();
  const { data } = useCall(calls.page, { criteria: { packageId }, page: { size: 100 } });
  const count = (data?.content ?? []).filter((row) => allows(row, 'enable')).length;
  return count > 0 ? <Note tone="warn">{t('difference.idleCount', { count })}</Note> : null;
}

/** Differences that lead to a version: what terminals on older ones fetch in its place. */
export function Differences({ calls, packageId, several = false }: Omit<Target, 'several'> & { several?: boolean }) {
  const target = useMemo(() => ({ calls, packageId, several }), [calls, packageId, several]);
  return (
    <Targets value={target}>
      <Listed />
    </Targets>
  );
}

function Listed() {
  const t = useT();
  const { calls, packageId, several } = useTarget();
  const spec = useMemo(() => specOf(calls, several), [calls, several]);
  const acts = useMemo(() => actsOf(calls, packageId), [calls, packageId]);
  return (
    <div className="m-stack m-fill">
      <IdleNote />
      {several ? <p className="m-muted">{t('difference.formAbout')}</p> : null}
      <div className="m-row m-row-wrap m-acts-end">
        <PageActions actions={acts} />
      </div>
      <ListView spec={spec} fixed={{ packageId }} queryPrefix="x." />
    </div>
  );
}
