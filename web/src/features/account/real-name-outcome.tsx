import { StatusTag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';

const tones = { waiting: 'wait', approved: 'good', refused: 'bad', timedOut: 'ended' } as const;
function Tag({ of }: { of: keyof typeof tones }) {
  const t = useT();
  return <StatusTag tone={tones[of]}>{t(`authAudit.outcome.${of}`)}</StatusTag>;
}
export const OutcomeTag = (row: { outcome: keyof typeof tones }) => <Tag of={row.outcome} />;
