import { helpCalls, MOST_REASON } from '@mooring/contract/help/calls';
import { type FormEvent, useState } from 'react';
import { useAct } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';

/** What is missing, for the editors; what was sent can be written again. */
function Missing({ articleKey, version, said }: { articleKey: string; version: number; said: string }) {
  const t = useT();
  const [reason, setReason] = useState(said);
  // What is typed is about what was read then, whatever is published meanwhile.
  const [read] = useState(version);
  const act = useAct(helpCalls.vote, { successText: 'help.voted' });
  const send = (event: FormEvent) => {
    event.preventDefault();
    act.run({ key: articleKey, helpful: false, reason, version: read });
  };
  return (
    <form className="m-stack-tight" onSubmit={send}>
      <Field optional label={t('help.reason')} help={t('help.reason.help')}>
        <TextArea value={reason} onChange={setReason} max={MOST_REASON} rows={2} />
      </Field>
      <div>
        <Button small submit busy={act.busy} disabled={reason.trim() === said}>
          {t('help.reason.send')}
        </Button>
      </div>
    </form>
  );
}

interface Voted {
  readonly articleKey: string;
  readonly version: number;
  readonly vote: boolean | null;
  readonly reason: string;
}
/** One vote a person; a click on what was said takes it back. */
export function Vote({ articleKey, version, vote, reason }: Voted) {
  const t = useT();
  const act = useAct(helpCalls.vote);
  const answer = (helpful: boolean) => (
    <Button
      small
      icon={helpful ? 'check' : 'close'}
      pressed={vote === helpful}
      busy={act.busy}
      onClick={() => act.run({ key: articleKey, helpful: vote === helpful ? null : helpful, version })}
    >
      {t(helpful ? 'help.vote.yes' : 'help.vote.no')}
    </Button>
  );
  return (
    <section className="m-stack-tight" aria-label={t('help.vote')}>
      <div className="m-row m-row-wrap">
        <span>{t('help.vote')}</span>
        {answer(true)}
        {answer(false)}
        <span className="m-small m-muted" role="status">
          {vote === null ? '' : t('help.voted')}
        </span>
      </div>
      {vote === false ? <Missing articleKey={articleKey} version={version} said={reason} /> : null}
    </section>
  );
}
