import { developerCalls } from '@mooring/contract/app/calls';
import { Developer } from '@mooring/contract/app/schemas';
import { ListView } from '../../kit/list/list-view.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';

type Row = RowOf<typeof developerCalls.page>;
/** Why, to whoever applied. */
const reason = { name: 'reason', label: 'developer.reason' } as const;

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
    refuse: {
      successText: 'developer.refused',
      danger: true,
      form: { fields: [reason], title: 'developer.refuse', submit: 'developer.refuse' },
    },
    suspend: {
      successText: 'developer.suspended',
      danger: true,
      form: { fields: [reason], title: 'developer.suspend', submit: 'developer.suspend', about: 'developer.suspend.about' },
    },
    resume: { successText: 'developer.resumed' },
  },
  empty: { title: 'developer.empty', text: 'developer.emptyText', icon: 'developer' },
});

export const Developers = () => <ListView spec={developerList} />;
