import type { Call } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useNarrow } from '../../ui/media.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { download } from '../downloads.ts';
import { mayCall, useSession } from '../session.ts';
import { BulkDialog, type BulkProps } from './bulk.tsx';
import { everything, isEmpty, nothing, ofSelection } from './selection.ts';
import type { BulkAction } from './types.ts';
import type { List } from './use-list.ts';

export const bulkActions = <C extends Call>(list: List<C>, session: ReturnType<typeof useSession>): BulkAction[] =>
  (list.spec.bulk ?? []).filter((action) => mayCall(action.call, session));

/** How many are chosen, "all that match", and what can be done with them. */
export function SelectionBar<C extends Call>({ list }: { list: List<C> }) {
  // What was chosen when the act began: its result stays when the selection is gone.
  const [begun, setBegun] = useState<Pick<BulkProps, 'action' | 'of' | 'count' | 'capped'>>();
  const capped = list.selection.kind === 'all' && (list.data?.capped ?? false);
  const begin = (action: BulkAction) => {
    const of = ofSelection(list.selection, list.criteria);
    if (action.fileName) download(action.call, { of }, action.fileName);
    else setBegun({ action, of, count: list.selectedCount, capped });
  };
  return (
    <>
      {isEmpty(list.selection) ? null : <Bar list={list} capped={capped} begin={begin} />}
      {begun ? <Begun {...begun} onClose={() => setBegun(undefined)} onDone={() => list.setSelection(nothing)} /> : null}
    </>
  );
}

function Begun({ action, ...begun }: BulkProps) {
  if (!action.Dialog) return <BulkDialog action={action} {...begun} />;
  const { of, count, capped, onClose } = begun;
  return <action.Dialog of={of} count={count} capped={capped} onClose={onClose} />;
}

function Bar<C extends Call>({ list, capped, begin }: { list: List<C>; capped: boolean; begin: (action: BulkAction) => void }) {
  const t = useT();
  const format = useFormat();
  const session = useSession();
  const narrow = useNarrow();
  const { total = 0 } = list.data ?? {};
  const all = list.selection.kind === 'all';
  const count = format.total(list.selectedCount, capped);
  const actions = bulkActions(list, session);
  const open = narrow ? [] : actions.slice(0, 4);
  const rest = actions.filter((one) => !open.includes(one));
  return (
    <section className="m-selection" aria-label={t('kit.selection.label')}>
      <b aria-live="polite">{t('kit.selection.count', { count })}</b>
      {!all && total > list.rows.length && list.tableSelection.page === 'all' ? (
        <button type="button" className="m-plain m-link" onClick={() => list.setSelection(everything)}>
          {t('kit.selection.all', { count: format.total(total, list.data?.capped ?? false) })}
        </button>
      ) : null}
      <button type="button" className="m-plain m-link" onClick={() => list.setSelection(nothing)}>
        {t('kit.selection.none')}
      </button>
      <span className="m-grow" />
      {open.map((one) => (
        <Button key={one.key} small danger={one.danger ?? false} {...(one.icon ? { icon: one.icon } : {})} onClick={() => begin(one)}>
          {t(one.label, { count, n: list.selectedCount })}
        </Button>
      ))}
      {rest.length > 0 ? (
        <MenuButton
          align="end"
          items={rest.map((one) => ({
            key: one.key,
            label: t(one.label, { count, n: list.selectedCount }),
            danger: one.danger,
            icon: one.icon,
            onClick: () => begin(one),
          }))}
        >
          <Button small icon="more" of={t('kit.selection.count', { count })}>
            {t('kit.more')}
          </Button>
        </MenuButton>
      ) : null}
    </section>
  );
}
