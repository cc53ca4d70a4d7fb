import { helpArticleCalls } from '@mooring/contract/help/article';
import type { OutputOf } from '@mooring/contract/kit/call';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { TextDifference } from '../../kit/text-difference.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Bone } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { nameOf, useWords } from './words.ts';

type Both = OutputOf<typeof helpArticleCalls.newerText>;

function Differences({ now, newer }: Both) {
  const t = useT();
  const words = useWords();
  const draw = (label: string, before: readonly string[], after: readonly string[]) => (
    <section className="m-stack-tight">
      <h3>{label}</h3>
      <TextDifference
        label={label}
        before={words(before.join('\n\n'))}
        now={words(after.join('\n\n'))}
        same={t('helpArticle.newer.same')}
      />
    </section>
  );
  return (
    <>
      <p className="m-small m-muted">
        − {t('helpArticle.newer.yours')} · + {t('helpArticle.newer.theirs')}
      </p>
      {draw(t('helpArticle.lang.en'), [now.title, now.body], [newer.title, newer.body])}
      {draw(t('helpArticle.lang.zh'), [now.titleZh, now.bodyZh], [newer.titleZh, newer.bodyZh])}
    </>
  );
}

/** What the newer text would change, before it is taken. */
export function NewerText({ row, onClose }: { row: { id: number; title: string; revision: number }; onClose: () => void }) {
  const t = useT();
  const { data, error, retry } = useCall(helpArticleCalls.newerText, { id: row.id });
  const act = useAct(helpArticleCalls.takeNewer, {
    successText: { key: 'helpArticle.newer.taken', params: { name: nameOf(row) } },
    done: onClose,
  });
  return (
    <Dialog
      open
      title={t('helpArticle.newer.take')}
      width={820}
      busy={act.busy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={act.busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" busy={act.busy} disabled={!data} onClick={() => act.run({ id: row.id, revision: row.revision })}>
            {t('helpArticle.newer.take')}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <p>{t('helpArticle.newer.confirm')}</p>
        {error ? <CallFailed part error={error} onRetry={retry} /> : data ? <Differences {...data} /> : <Bone height={160} />}
      </div>
    </Dialog>
  );
}
