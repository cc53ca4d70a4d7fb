import { useT } from '../../ui/words.ts';

/** There before it speaks, so that a screen reader hears it. */
export function Checking({ on }: { on: boolean }) {
  const t = useT();
  return (
    <p className={on ? 'm-muted' : 'm-hidden'} role="status">
      {on ? t('auth.checking') : ''}
    </p>
  );
}
