import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { type TextKey, useT } from '../../ui/words.ts';

export interface Question {
  readonly title: TextKey;
  readonly confirm: TextKey;
  readonly about: TextKey;
  readonly danger?: boolean;
  /** Without a word why, nobody knows what to change. */
  readonly wantsWhy?: boolean;
}
interface Props {
  of: Question;
  name: string;
  busy: boolean;
  note?: ReactNode;
  onClose: () => void;
  onSubmit: (comment: string) => void;
}
/** Asks once more, with a word to it. */
export function DecideDialog({ of, name, busy, note, onClose, onSubmit }: Props) {
  const t = useT();
  const [comment, setComment] = useState('');
  const [tried, setTried] = useState(false);
  const isMissing = of.wantsWhy === true && comment.trim() === '';
  const submit = () => {
    setTried(true);
    if (!isMissing) onSubmit(comment);
  };
  return (
    <Dialog
      open
      title={t(of.title, { name })}
      onClose={onClose}
      busy={busy}
      firm={comment !== ''}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" danger={of.danger === true} busy={busy} onClick={submit}>
            {t(of.confirm)}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <p className="m-muted">{t(of.about)}</p>
        {note}
        <Field
          label={t('approval.comment')}
          optional={of.wantsWhy !== true}
          error={tried && isMissing ? t('approval.commentWhy') : undefined}
        >
          <TextArea value={comment} onChange={setComment} max={500} />
        </Field>
      </div>
    </Dialog>
  );
}
