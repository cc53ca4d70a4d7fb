import { useState } from 'react';
import { GivenFiles } from '../../kit/upload/given-files.tsx';
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
export interface Said {
  readonly comment: string;
  readonly files: number[];
}
interface Props {
  of: Question;
  name: string;
  busy: boolean;
  onClose: () => void;
  /** A link from a mail takes none: nothing is uploaded without a sign-in. */
  takesFiles?: boolean;
  onSubmit: (said: Said) => void;
}
/** Asks once more, with a word to it. */
export function DecideDialog({ of, name, busy, takesFiles = false, onClose, onSubmit }: Props) {
  const t = useT();
  const [comment, setComment] = useState('');
  const [files, setFiles] = useState<readonly number[]>([]);
  const [held, setHeld] = useState<string>();
  const [tried, setTried] = useState(false);
  const isMissing = of.wantsWhy === true && comment.trim() === '';
  const submit = () => {
    setTried(true);
    if (!isMissing && held === undefined) onSubmit({ comment, files: [...files] });
  };
  return (
    <Dialog
      open
      title={t(of.title, { name })}
      onClose={onClose}
      busy={busy}
      firm={comment !== '' || files.length > 0}
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
        <Field
          label={t('approval.comment')}
          optional={of.wantsWhy !== true}
          error={tried && isMissing ? t('approval.commentWhy') : undefined}
        >
          <TextArea value={comment} onChange={setComment} max={500} />
        </Field>
        {takesFiles ? (
          <Field group optional label={t('approval.files')} help={t('approval.files.help')} onOwnError={setHeld}>
            <GivenFiles value={files} onChange={(ids) => setFiles(ids ?? [])} disabled={busy} />
          </Field>
        ) : null}
      </div>
    </Dialog>
  );
}
