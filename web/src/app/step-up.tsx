import { lazy, Suspense, useEffect, useState } from 'react';
import { onProofAsked } from '../kit/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PageSkeleton } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';
import type { Settle } from './proof.tsx';

const Proof = lazy(() => import('./proof.tsx').then((found) => ({ default: found.Proof })));

/** Over whatever asked for it: the person proves to be it, and what was asked for goes on. */
export function StepUp() {
  const t = useT();
  const [settle, setSettle] = useState<{ done: Settle }>();
  useEffect(() => {
    let open: Promise<boolean> | undefined;
    onProofAsked(() => {
      open ??= new Promise<boolean>((resolve) => setSettle({ done: resolve })).finally(() => {
        open = undefined;
        setSettle(undefined);
      });
      return open;
    });
  }, []);
  if (!settle) return null;
  return (
    <Dialog open title={t('shell.proof.title')} onClose={() => settle.done(false)} typed width={440}>
      <p className="m-muted m-dialog-lead">{t('shell.proof.text')}</p>
      <Suspense fallback={<PageSkeleton />}>
        <Proof done={settle.done} />
      </Suspense>
    </Dialog>
  );
}
