import { developerCalls } from '@mooring/contract/app/calls';
import { Developer } from '@mooring/contract/app/schemas';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { createStore, useStore } from '../../ui/store.ts';
import { useT } from '../../ui/words.ts';

type Row = RowOf<typeof developerCalls.page>;
type Act = 'refuse' | 'suspend';
const calls = { refuse: developerCalls.refuse, suspend: developerCalls.suspend };
const asked = createStore<{ readonly act: Act; readonly row: Row } | undefined>(undefined);
const asking = (act: Act) => ({
  key: act,
  label: `event.developer.${act}` as const,
  danger: true,
  allowedAction: act,
  run: (row: Row) => asked.set({ act, row }),
});

const developerList = listOf(Developer, developerCalls, {
  code: 'app.developers',
  columns: [
    { key: 'deptName', width: 220 },
    'state',
    { key: 'contactName', width: 160 },
    { key: 'email', width: 220 },
    off('phone'),
    { key: 'website', width: 200 },
    { key: 'about', width: 260 },
    { key: 'reason', width: 200 },
    off('appliedBy'),
    'appliedAt',
    off('decidedBy'),
  ],
  nameOf: (row: Row) => row.deptName,
  texts: { add: 'developer.apply', edit: 'developer.apply', delete: 'developer.refuse' },
  moves: {
    accept: { successText: 'developer.accepted', confirm: { text: 'developer.accept.about' } },
    resume: { successText: 'developer.resumed' },
  },
  rowActions: [asking('refuse'), asking('suspend')],
  empty: { title: 'developer.empty', text: 'developer.emptyText', icon: 'developer' },
});

/** Why, to whoever applied. */
function Reasoned() {
  const t = useT();
  const open = useStore(asked);
  if (!open) return null;
  const { act, row } = open;
  return (
    <FormDialog
      title={`developer.${act}`}
      of={row.deptName}
      submit={`developer.${act}`}
      call={calls[act]}
      successText={act === 'refuse' ? 'developer.refused' : 'developer.suspended'}
      about={act === 'suspend' ? <p className="m-muted">{t('developer.suspend.about')}</p> : null}
      initial={{ id: row.id }}
      fields={[{ name: 'reason', label: 'developer.reason', kind: 'area', wide: true }]}
      onClose={() => asked.set(undefined)}
    />
  );
}

export const Developers = () => (
  <>
    <ListView spec={developerList} />
    <Reasoned />
  </>
);
