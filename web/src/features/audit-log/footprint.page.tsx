import { onlineCalls } from '@mooring/contract/access/online-calls';
import { footprintCalls } from '@mooring/contract/audit-log/calls';
import { useState } from 'react';
import { Value } from '../../kit/list/cells.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import { programOf } from '../../kit/program.ts';
import { useCall } from '../../kit/queries.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Select } from '../../ui/controls.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';
import { Action, At, Result, Screen, Target } from './log-words.tsx';

const steps: ListSpec<typeof footprintCalls.page> = {
  code: 'audit.footprint',
  title: 'footprint.title',
  call: footprintCalls.page,
  columns: [
    { key: 'at', title: 'footprint.at', sort: true, pinned: 'left', width: 180, cell: (row) => <At of={String(row.at)} /> },
    { key: 'kind', title: 'footprint.kind', kind: 'name', names: 'footprint.kind.', width: 160 },
    {
      key: 'what',
      title: 'footprint.what',
      width: 300,
      cell: (row) =>
        row.kind === 'visit' ? (
          <Screen path={row.what} />
        ) : row.action ? (
          <Action of={row.action} />
        ) : (
          <Value value={row.what} kind="code" />
        ),
    },
    {
      key: 'target',
      title: 'log.target',
      width: 300,
      cell: (row) =>
        row.kind === 'act' ? <Target of={row.target} /> : <Value value={row.target && (programOf(row.target) ?? row.target)} />,
    },
    {
      key: 'result',
      title: 'log.result',
      width: 290,
      cell: (row) => (row.outcome ? <Result of={{ outcome: row.outcome, result: row.result ?? '' }} /> : <Value value={null} />),
    },
    { key: 'platform', title: 'log.platform', kind: 'name', names: 'platform.', width: 160 },
  ],
  filters: [
    { field: 'kind', label: 'footprint.kind', names: 'footprint.kind.' },
    { field: 'at', label: 'footprint.at' },
  ],
  empty: { title: 'footprint.empty' },
};

const online: ListSpec<typeof onlineCalls.list> = {
  code: 'audit.online',
  title: 'footprint.tab.online',
  call: onlineCalls.list,
  search: { field: 'text', hint: 'online.search' },
  columns: [
    { key: 'name', title: 'online.name', pinned: 'left', width: 180, cell: (row) => <Person name={row.name} own={row.own} /> },
    { key: 'account', title: 'online.account', width: 150 },
    { key: 'deptName', title: 'online.dept', width: 180 },
    { key: 'platform', title: 'log.platform', kind: 'name', names: 'platform.', width: 160 },
    { key: 'ip', title: 'log.ip', width: 130 },
    { key: 'since', title: 'online.since', kind: 'moment', width: 170 },
    { key: 'seenAt', title: 'online.seenAt', kind: 'ago', sort: true, width: 140 },
    { key: 'userAgent', title: 'online.agent', width: 180, cell: (row) => programOf(row.userAgent) ?? row.userAgent },
  ],
  filters: [{ field: 'platform', label: 'log.platform', names: 'platform.' }],
  rowActions: [
    rowAction(onlineCalls.end, {
      successText: 'online.ended',
      label: 'online.end',
      icon: 'signOut',
      danger: true,
      allowedAction: 'end',
      confirm: { text: 'online.end.about' },
    }),
  ],
  export: onlineCalls.export,
  nameOf: (row) => row.name,
  empty: { title: 'online.empty' },
};
function Person({ name, own }: { name: string; own: boolean }) {
  const t = useT();
  return (
    <span className="m-row">
      {name}
      {own ? <Tag>{t('online.own')}</Tag> : null}
    </span>
  );
}

/** The traces of one person, whom the address names. */
function Steps() {
  const t = useT();
  const view = useView();
  const [text, setText] = useState('');
  const userId = Number(view.search.get('user')) || undefined;
  const found = useCall(footprintCalls.people, { text }, { keep: true });
  const named = useCall(footprintCalls.people, { ids: [userId ?? 0] }, { enabled: userId !== undefined });
  const people = [...(found.data ?? []), ...(named.data ?? []).filter((one) => !found.data?.some((other) => other.id === one.id))];
  return (
    <div className="m-stack m-fill">
      <span className="m-choice-wide">
        <Select
          label={t('footprint.person')}
          placeholder={t('footprint.person')}
          value={userId}
          onSearch={setText}
          busy={found.fetching}
          onChange={(id) => chooseSearch(view, new URLSearchParams(id === undefined ? {} : { user: String(id) }))}
          options={people.map((one) => ({ value: one.id, label: `${one.name} (${one.account})`, about: one.deptName }))}
        />
      </span>
      {userId === undefined ? (
        <Empty icon="user" title={t('footprint.choose')} />
      ) : (
        <ListView key={userId} spec={steps} fixed={{ userId }} queryPrefix="f." />
      )}
    </div>
  );
}

export const footprintPage = tabsPage({
  title: 'footprint.title',
  tabs: [
    { key: 'steps', title: 'footprint.tab.steps', Body: Steps },
    { key: 'online', title: 'footprint.tab.online', Body: () => <ListView spec={online} queryPrefix="o." /> },
  ],
});
