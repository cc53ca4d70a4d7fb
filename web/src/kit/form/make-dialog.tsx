import type { Call, OutputOf } from '@mooring/contract/kit/call';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';

interface ShownProps {
  title: TextKey;
  /** Says that it won't be shown again. */
  once: TextKey;
  children: ReactNode;
  onClose: () => void;
}
/** What is shown this once: it stays until it is closed by the person. */
function ShownOnce({ title, once, children, onClose }: ShownProps) {
  const t = useT();
  return (
    <Dialog
      open
      firm
      width={640}
      title={t(title)}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {t('kit.close')}
        </Button>
      }
    >
      <div className="m-stack">
        <Note tone="warn">{t(once)}</Note>
        {children}
      </div>
    </Dialog>
  );
}

/** A short form that makes something whose secret is shown once. */
export function MakeDialog<C extends Call>({
  once,
  made: madeTitle,
  shown,
  shows = () => true,
  ...form
}: Omit<FormDialogProps<C>, 'onDone'> &
  Pick<ShownProps, 'once'> & {
    made: TextKey;
    shown: (made: OutputOf<C>) => ReactNode;
    /** Whether there is anything to show this time. */
    shows?: (made: OutputOf<C>) => boolean;
  }) {
  const [made, setMade] = useState<OutputOf<C>>();
  const kept = useRef(false);
  if (made !== undefined)
    return (
      <ShownOnce title={madeTitle} once={once} onClose={form.onClose}>
        {shown(made)}
      </ShownOnce>
    );
  const keep = (output: OutputOf<C>) => {
    if (!shows(output)) return;
    kept.current = true;
    setMade(output);
  };
  // The form closes itself when it is done; what it made stays.
  return <FormDialog {...(form as FormDialogProps<C>)} onClose={() => (kept.current ? undefined : form.onClose())} onDone={keep} />;
}
