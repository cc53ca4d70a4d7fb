import { helpCalls } from '@mooring/contract/help/calls';
import { useAct } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';

/** One vote a person; a click on what was said takes it back. */
export function Vote({ articleKey, vote }: { articleKey: string; vote: boolean | null }) {
  const t = useT();
  const act = useAct(helpCalls.vote);
  const answer = (helpful: boolean) => (
    <Button
      small
      icon={helpful ? 'check' : 'close'}
      pressed={vote === helpful}
      busy={act.busy}
      onClick={() => act.run({ key: articleKey, helpful: vote === helpful ? null : helpful })}
    >
      {t(helpful ? 'help.vote.yes' : 'help.vote.no')}
    </Button>
  );
  return (
    <section className="m-row m-row-wrap" aria-label={t('help.vote')}>
      <span>{t('help.vote')}</span>
      {answer(true)}
      {answer(false)}
      <span className="m-small m-muted" role="status">
        {vote === null ? '' : t('help.voted')}
      </span>
    </section>
  );
}
