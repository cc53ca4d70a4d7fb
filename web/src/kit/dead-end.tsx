import { Button } from '../ui/button.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Empty, ErrorState } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';
import { messageOf } from './client.ts';
import type { CallError } from './outcome.ts';
import { go } from './view.ts';

/** In the place of a page that can't be shown, with the way to one that can. */
export function DeadEnd({ icon, title, text }: { icon: IconName; title: string; text: string }) {
  const t = useT();
  return (
    <Empty level={1} icon={icon} title={title} text={text}>
      <Button look="primary" onClick={() => go('/')}>
        {t('shell.home')}
      </Button>
    </Empty>
  );
}

/** In the place of a page that an address leads to, and none of one's roles. */
export function NoAccess() {
  const t = useT();
  return <DeadEnd icon="lock" title={t('kit.noAccess.title')} text={t('kit.noAccess.text')} />;
}

/** In the place of what a call would have shown, on a page of its own or as a part of one. Who may not see it isn't told to try again. */
export function CallFailed({ error, onRetry, part = false }: { error: CallError; onRetry: () => void; part?: boolean }) {
  const t = useT();
  if (error.code === 403) return part ? <Empty icon="lock" title={t('kit.noAccess.part')} text={t('kit.noAccess.text')} /> : <NoAccess />;
  return (
    <ErrorState level={part ? 2 : 1} text={messageOf(error)} requestId={error.requestId} {...(error.code === 404 ? {} : { onRetry })} />
  );
}
