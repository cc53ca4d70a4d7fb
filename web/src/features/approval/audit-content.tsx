import { withKind } from '../../engines/rollout/with-kind.ts';
import { Facts } from '../../kit/detail/detail-page.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Note } from '../../ui/states.tsx';
import { type Format, useFormat, useT } from '../../ui/words.ts';
import type { Detail } from './parts.ts';

type T = ReturnType<typeof useT>;
const HASH = 16;

/** Those that aren't the reader's, as counts. */
const othersText = (t: T, others: Detail['others']): string[] =>
  (['sns', 'depts', 'groups', 'tags', 'releases'] as const).flatMap((what) =>
    others[what] > 0 ? [t(`approval.others.${what}`, { count: others[what] })] : [],
  );

function ringText(t: T, ring: Detail['rings'][number]): string {
  if (ring.share === null)
    return t('approval.ring.named', { no: ring.no, named: [...ring.named, ...othersText(t, ring.others)].join(', ') });
  return ring.share === 100 ? t('approval.ring.rest', { no: ring.no }) : t('approval.ring.share', { no: ring.no, share: ring.share });
}
const lines = (all: readonly string[]) => (
  <span className="m-stack-none">
    {all.map((one) => (
      <span key={one} className="m-clip-lines">
        {one}{' '}
      </span>
    ))}
  </span>
);
const momentOf = (format: Format, at: string | null) => (at ? format.moment(at) : '–');

/** What is agreed to, as it stands now: by its hash it is this and nothing else. */
export function AuditContent({ detail }: { detail: Detail }) {
  const t = useT();
  const format = useFormat();
  const of = detail.package;
  return (
    <div className="m-stack">
      {detail.changed ? <Note tone="danger">{t('approval.changedNote')}</Note> : null}
      {detail.changes.length > 0 ? (
        <Note tone="info">{t('approval.changes', { parts: detail.changes.map((part) => t(`approval.part.${part}`)).join(', ') })}</Note>
      ) : null}
      <Facts
        row={detail}
        facts={[
          ...(of
            ? ([
                {
                  key: '_package',
                  title: 'approval.package',
                  cell: () => withKind([of.productName, of.name, of.version].filter(Boolean).join(' '), of.kind),
                },
                { key: '_size', title: 'approval.size', cell: () => format.size(of.size) },
                { key: '_sha', title: 'approval.sha256', cell: () => <CopyText text={of.sha256} short={HASH} /> },
              ] as const)
            : []),
          {
            key: '_targets',
            title: 'approval.targets',
            cell: () =>
              detail.releaseScope === '0' ? t('release.scope.all') : lines([...detail.targets, ...othersText(t, detail.others)]),
          },
          { key: '_rings', title: 'approval.rings', cell: () => lines(detail.rings.map((ring) => ringText(t, ring))) },
          { key: '_start', title: 'approval.starts', cell: () => momentOf(format, detail.startAt), when: () => detail.startAt !== null },
          { key: '_end', title: 'approval.expires', cell: () => momentOf(format, detail.expiresAt), when: () => detail.expiresAt !== null },
          { key: '_window', title: 'approval.window', cell: () => detail.window ?? '–', when: () => detail.window !== null },
          { key: '_network', title: 'approval.network', cell: () => t(`approval.network.${detail.network}`) },
          {
            key: '_pace',
            title: 'approval.pace',
            cell: () => (detail.pacePerMinute === null ? '–' : format.number(detail.pacePerMinute)),
            when: () => detail.pacePerMinute !== null,
          },
          { key: 'remark', title: 'approval.remark', when: () => detail.remark !== '' },
          { key: '_hash', title: 'approval.hash', cell: () => <CopyText text={detail.contentHash} short={HASH} /> },
        ]}
      />
    </div>
  );
}
