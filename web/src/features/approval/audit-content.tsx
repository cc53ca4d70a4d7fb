import { useDeliveryFacts } from '../../engines/rollout/delivery-facts.ts';
import { useRingGates } from '../../engines/rollout/ring-rules.tsx';
import { withKind } from '../../engines/rollout/with-kind.ts';
import { Facts } from '../../kit/detail/detail-page.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Note } from '../../ui/states.tsx';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import type { Agreed, Detail } from './parts.ts';

type T = ReturnType<typeof useT>;
const HASH = 16;

/** Those that aren't the reader's, as counts. */
const othersText = (t: T, others: Agreed['others']): string[] =>
  (['sns', 'depts', 'groups', 'merchants', 'tags', 'releases'] as const).flatMap((what) =>
    others[what] > 0 ? [t(`approval.others.${what}`, { count: others[what] })] : [],
  );

function ringText(t: T, ring: Agreed['rings'][number]): string {
  if (ring.share === null)
    return t('approval.ring.named', { no: ring.no, named: [...ring.named, ...othersText(t, ring.others)].join(', ') });
  return ring.share === 100 ? t('approval.ring.rest', { no: ring.no }) : t('approval.ring.share', { no: ring.no, share: ring.share });
}

/** Everything that the hash is of, in words, so that what was and what is can be held against each other. */
function useAgreed(): (agreed: Agreed) => readonly (readonly [TextKey, readonly string[]])[] {
  const t = useT();
  const format = useFormat();
  const gates = useRingGates();
  const deliveryFacts = useDeliveryFacts();
  const moment = (at: string | null) => [at ? format.moment(at) : '–'];
  return (agreed) => {
    const { package: of, delivery, rings } = agreed;
    return [
      ['approval.name', [agreed.name]],
      ...(of
        ? ([
            ['approval.package', [withKind([of.productName, of.name, of.version].filter(Boolean).join(' '), of.kind)]],
            ['approval.size', [format.size(of.size)]],
          ] as const)
        : []),
      ['approval.targets', agreed.releaseScope === '0' ? [t('release.scope.all')] : [...agreed.targets, ...othersText(t, agreed.others)]],
      ['approval.rings', rings.map((ring, at) => [ringText(t, ring), ...gates(ring, at === rings.length - 1)].join(' · '))],
      ['approval.starts', moment(delivery.startAt)],
      ['approval.expires', moment(delivery.expiresAt)],
      ...deliveryFacts(delivery, { downloads: of !== null, versions: of !== null }).map(([title, text]) => [title, [text]] as const),
      ['approval.remark', [agreed.remark || '–']],
    ];
  };
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

/** What is agreed to, as it stands now, with what it was where it is another: by its hash it is this and nothing else. */
export function AuditContent({ detail }: { detail: Detail }) {
  const t = useT();
  const agreed = useAgreed();
  const of = detail.package;
  const then = new Map(detail.earlier ? agreed(detail.earlier) : []);
  const facts = agreed(detail).map(([title, now]) => {
    const before = detail.earlier ? (then.get(title) ?? ['–']) : now;
    const isOther = before.join('\n') !== now.join('\n');
    return {
      key: `_${title}` as const,
      title,
      cell: () => (
        <>
          {lines(now)}
          {isOther ? <span className="m-muted">{t('approval.before', { text: before.join(', ') })}</span> : null}
        </>
      ),
    };
  });
  return (
    <div className="m-stack">
      {detail.changed ? <Note tone="danger">{t('approval.changedNote')}</Note> : null}
      {detail.changes.length > 0 ? (
        <Note tone="info">{t('approval.changes', { parts: detail.changes.map((part) => t(`approval.part.${part}`)).join(', ') })}</Note>
      ) : null}
      <Facts
        row={detail}
        facts={[
          ...facts,
          ...(of ? ([{ key: '_sha', title: 'approval.sha256', cell: () => <CopyText text={of.sha256} short={HASH} /> }] as const) : []),
          { key: '_hash', title: 'approval.hash', cell: () => <CopyText text={detail.contentHash} short={HASH} /> },
        ]}
      />
    </div>
  );
}
