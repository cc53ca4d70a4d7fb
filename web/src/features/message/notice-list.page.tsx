import type { RowOf } from '@mooring/contract/kit/entity';
import { MOST_COUNTED, Notice, noticeCalls } from '@mooring/contract/message/notice-calls';
import { noticeMachine } from '@mooring/contract/message/state-machines';
import { listPage } from '../../kit/list/list-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { mayCall } from '../../kit/session.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { AttachedFiles } from '../../kit/upload/attached-files.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { Priority } from './message-lists.tsx';
import { readersOf } from './readers.tsx';

type Row = RowOf<typeof Notice>;

const readers = readersOf('notice', noticeCalls.readers, noticeCalls.exportReaders);

/** A notice as its readers have it, with who has read it. */
function Panel({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const told = [
    row.createdBy,
    row.publishedAt ? format.moment(String(row.publishedAt)) : '',
    t(`notice.recipients.${row.recipients}`),
    ...row.channels.map((channel) => t(`notice.channels.${channel}`)),
  ];
  return (
    <Drawer open title={row.title} onClose={onClose} width={760}>
      <div className="m-stack">
        <div className="m-row m-row-wrap">
          <StateTag machine={noticeMachine} code={row.state} />
          <span className="m-small m-muted">{told.filter(Boolean).join(' · ')}</span>
        </div>
        <Markdown text={row.body} />
        {row.attachments.length === 0 ? null : (
          <section className="m-stack-tight">
            <h3>{t('notice.attachments')}</h3>
            <AttachedFiles files={row.attachments} />
          </section>
        )}
        <section className="m-stack-tight">
          <h3>{t('notice.readers')}</h3>
          {row.remindedAt ? (
            <p className="m-small m-muted">
              {t('notice.remindedAt')}: {format.moment(String(row.remindedAt))}
            </p>
          ) : null}
          {row.people === null ? (
            <p className="m-muted">{t('notice.readers.later')}</p>
          ) : (
            <ListView spec={readers} fixed={{ noticeId: row.id }} queryPrefix="r." />
          )}
        </section>
      </div>
    </Drawer>
  );
}

/** To how many it goes, before it does. */
function Reach({ row }: { row: Row }) {
  const t = useT();
  const people = useCall(noticeCalls.reach, { id: row.id }).data?.people;
  const name = row.title;
  if (people === undefined) return t('notice.publish.counting', { name });
  if (people > MOST_COUNTED) return t('notice.publish.many', { name });
  return people === 0 ? t('notice.publish.none', { name }) : t('notice.publish.about', { name, people });
}

export const noticeList = listPage(Notice, noticeCalls, {
  code: 'notice.list',
  path: '/notice',
  columns: [
    { key: 'title', width: 260 },
    { key: 'state', width: 140 },
    { key: 'priority', width: 120, cell: (row) => <Priority of={row.priority} /> },
    { key: 'recipients', width: 220 },
    { key: 'people', width: 110 },
    { key: 'readCount', width: 110 },
    { key: 'startsAt', width: 170 },
    { key: 'endsAt', width: 170 },
    { key: 'publishedAt', width: 170 },
    off('remindedAt'),
    off('deptName'),
    off('createdBy'),
    off('createdAt'),
  ],
  moves: {
    publish: { successText: 'notice.published', icon: 'send', confirm: { text: (row: Row) => <Reach row={row} /> } },
    schedule: { successText: 'notice.scheduled', icon: 'schedule' },
    cancel: { successText: 'notice.cancelled', icon: 'back' },
    recall: {
      successText: 'notice.recalled',
      icon: 'cancel',
      danger: true,
      confirm: { text: 'notice.recall.about', keep: 'notice.recall.keep' },
    },
  },
  rowActions: [
    rowAction(noticeCalls.remind, {
      label: 'notice.remind',
      icon: 'send',
      allowedAction: 'remind',
      successText: 'notice.reminded',
      confirm: { text: 'notice.remind.about' },
    }),
    { key: 'copy', label: 'notice.copy', icon: 'copy', when: () => mayCall(noticeCalls.add), to: (row) => `/notice/new?copy=${row.id}` },
  ],
  deleting: { text: 'notice.delete.about' },
  nameOf: (row) => row.title,
  empty: { title: 'notice.empty', text: 'notice.emptyText', icon: 'notice' },
  slots: { aside: Panel },
});
