import type { Platform } from '@mooring/contract/kit/call';
import { go } from '../kit/view.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';

const NotFound = () => {
  const t = useT();
  return (
    <Empty icon="search" title={t('shell.notFound.title')} text={t('shell.notFound.text')}>
      <Button look="primary" onClick={() => go('/')}>
        {t('shell.home')}
      </Button>
    </Empty>
  );
};
export const notFoundPage = { View: NotFound };

export function NotAllowed({ platform }: { platform: Platform }) {
  const t = useT();
  return (
    <Empty icon="lock" title={t('shell.notAllowed.title')} text={t('shell.notAllowed.text', { platform: t(`platform.${platform}`) })}>
      <Button look="primary" onClick={() => go('/')}>
        {t('shell.home')}
      </Button>
    </Empty>
  );
}
